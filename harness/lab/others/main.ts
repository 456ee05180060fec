/**
 * `npm run others`: Touchstone against mocks and gateways that other people made. What it finds is
 * read by hand: is the gateway wrong, or the check? See README.md of this folder.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { startReference } from '../../reference/index.ts';
import { namedIn, print, renewPage } from '../tables-in-page.ts';
import { publishers } from './gateway.ts';
import { askingGateways, otherGateways } from './gateways.ts';
import { judge, judgeBack } from './judge.ts';
import { type Judged, table } from './table.ts';

const command = new Command('others')
  .description('Judges mocks and gateways that other people made, from the package registry.')
  .argument(
    '[names...]',
    `which: ${otherGateways.map(({ short }) => short).join(', ')}; with --back: ${askingGateways.map(({ short }) => short).join(', ')}`,
  )
  .option('--folder <path>', 'installs and leaves reports here; what is installed is used again')
  .option('--back', 'judges how gateways ask their provider, which is Touchstone')
  .parse();
const { back = false, folder = mkdtempSync(join(tmpdir(), 'touchstone-others-')) } = command.opts<{
  back?: boolean;
  folder?: string;
}>();
const chosen = namedIn(command, back ? askingGateways : otherGateways, ({ short }) => short);

const judged: Judged[] = [];
for (const other of chosen) {
  const own = resolve(folder, other.short);
  // Each gateway gets a fresh upstream, so that none finds what another has stored.
  const upstream = await startReference({ names: publishers });
  try {
    const result = await (back ? judgeBack : judge)(other, own, upstream);
    judged.push({ other, result });
    print(`${other.name} ${other.version}: ${result.verdict}; ${join(own, 'report.html')}`);
  } catch (error) {
    print(`${other.name} ${other.version}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await upstream.close();
  }
}
print(`\n${table(judged)}`);
if (!back && judged.length === otherGateways.length) {
  renewPage('lab/others', 'others', { verdicts: table(judged) });
}
