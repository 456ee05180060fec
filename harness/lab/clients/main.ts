/**
 * `npm run clients`: the drivers of `fixtures/clients/` with well-known clients, at their defaults and with
 * retries switched off. What fails is read by hand: is the client wrong, the check, or the driver? See
 * README.md of this folder, whose tables it renews when all clients were judged.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { namedIn, print, renewPage } from '../tables-in-page.ts';
import { clients } from './clients.ts';
import { type Told, toldOfCuts } from './cut-streams.ts';
import { judge, type Settings } from './judge.ts';
import { cutStreamsTable, type Judged, notPassedTable, verdictsTable } from './tables.ts';

const command = new Command('clients')
  .description('Judges well-known clients, from the package registry.')
  .argument('[names...]', `which: ${clients.map(({ short }) => short).join(', ')}`)
  .option('--folder <path>', 'installs and leaves reports here; what is installed is used again')
  .parse();
const { folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-')) } = command.opts<{
  folder?: string;
}>();
const chosen = namedIn(command, clients, ({ short }) => short);

const judged: Judged[] = [];
const told: Told[] = [];
for (const client of chosen) {
  const every: readonly Settings[] =
    client.withoutRetries === null ? ['defaults'] : ['defaults', 'no retries'];
  const own = resolve(folder, client.short);
  try {
    for (const settings of every) {
      const result = await judge(client, settings, own);
      judged.push({ client, settings, result });
      print(`${client.short}, ${settings}: ${result.verdict}`);
    }
    told.push(...(await toldOfCuts(client, own)));
  } catch (error) {
    print(`${client.short}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
const tables = {
  verdicts: verdictsTable(judged),
  failed: notPassedTable(judged, ['fail', 'warn']),
  undecided: notPassedTable(judged, ['inconclusive', 'untestable', 'error']),
  'cut streams': cutStreamsTable(told),
};
if (chosen.length === clients.length && process.exitCode === undefined) {
  print(`\n${renewPage('lab/clients', 'clients', tables)} is renewed; reports are in ${folder}.`);
} else print(`\n${Object.values(tables).join('\n\n')}`);
