/**
 * `npm run clients-drive`: well-known clients, driven against the reference gateway and each legal variant of
 * it. A variant that breaks a client by our fault is no variant. What breaks is read by hand; known.ts says
 * whose fault it is. README.md of this folder has the tables, which a whole run renews.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { markdownTable } from 'markdown-table';
import { type Variant, variants } from '../../proof/index.ts';
import { startReference } from '../../reference/index.ts';
import { clients } from '../clients/clients.ts';
import { packagesOf } from '../clients/tables.ts';
import { Draws } from '../hostile/chance.ts';
import { publishers } from '../others/gateway.ts';
import { print, renewPage } from '../tables-in-page.ts';
import { type Break, breaksTable, brokenBy, knownAs } from './compare.ts';
import { type Driven, drive, hasCalls } from './drive.ts';
import { knownBreaks } from './known.ts';

const drivable = clients.filter(hasCalls);
const command = new Command('clients-drive')
  .description('Drives well-known clients against the reference gateway and its legal variants.')
  .option('--client <names...>', `which: ${drivable.map(({ short }) => short).join(', ')}`)
  .option('--variant <ids...>', 'only under these, and under none')
  .option('--sample <n>', 'only under so many variants, drawn by the seed', Number)
  .option('--seed <n>', 'draws the sample', Number, 1)
  .option('--folder <path>', 'installs here; what is installed is used again')
  .parse();
const options = command.opts<{
  client?: readonly string[];
  variant?: readonly string[];
  sample?: number;
  seed: number;
  folder?: string;
}>();
const { folder = mkdtempSync(join(tmpdir(), 'touchstone-drive-')) } = options;

const chosen = drivable.filter(({ short }) => options.client?.includes(short) ?? true);
const under = sampled(variants.filter(({ id }) => options.variant?.includes(id) ?? true));
if (chosen.length === 0) command.error('There is no such client. See --help.');
if (options.variant !== undefined && under.length < options.variant.length) {
  command.error('There is no such variant: touchstone serve --list-faults has all of them.');
}

const driven: Driven[] = [];
const breaks: Break[] = [];
const counts = new Map<string, number>();
try {
  for (const client of chosen) driven.push(await drive(client, resolve(folder, client.short)));
  await performUnder(null);
  for (const variant of under) await performUnder(variant);
} finally {
  for (const one of driven) one.close();
}
const found = brokenBy(breaks);
const plain = found.filter(({ variant }) => variant === null);
const tables = {
  clients: markdownTable([
    ['client', 'packages', 'calls', 'served'],
    ...chosen.map((client) => [
      `\`${client.short}\``,
      packagesOf(client),
      `${counts.get(client.short)}`,
      `${Number(counts.get(client.short)) - plain.filter((one) => one.client === client.short).length}`,
    ]),
  ]),
  plain: breaksTable(plain, knownBreaks),
  variants: breaksTable(
    found.filter(({ variant }) => variant !== null),
    knownBreaks,
  ),
};
print(Object.values(tables).join('\n\n'));
const fresh = found.filter((one) => knownAs(one, knownBreaks) === undefined);
for (const { variant, client, call, said } of fresh) {
  print(`NEW: ${variant ?? 'no variant'}, ${client}, ${call}: ${said}`);
}
if (fresh.length > 0) process.exitCode = 1;
if (chosen.length === drivable.length && under.length === variants.length) {
  print(`\n${renewPage('lab/clients-drive', 'clients-drive', tables)} is renewed.`);
}

async function performUnder(variant: Variant | null): Promise<void> {
  const gateway = await startReference({
    names: publishers,
    isMock: true,
    tokenMs: 1,
    ...(variant === null ? {} : { defect: variant }),
  });
  try {
    const baseUrl = gateway.regions[0]?.baseUrl ?? '';
    const odd = gateway.models.find(({ id }) => id.includes('/'))?.id ?? '';
    const at = { baseUrl, key: gateway.keys.owner, odd };
    const broken = await Promise.all(
      driven.map(async ({ client, calls }): Promise<Break[]> => {
        const said = Object.entries(await calls(at));
        if (variant === null) counts.set(client.short, said.length);
        return said.flatMap(([call, why]) =>
          why === null
            ? []
            : { variant: variant?.id ?? null, client: client.short, call, said: why },
        );
      }),
    );
    breaks.push(...broken.flat());
  } finally {
    await gateway.close();
  }
}

function sampled(all: readonly Variant[]): readonly Variant[] {
  const { sample = all.length, seed } = options;
  const draws = new Draws(seed, 'sample');
  const left = [...all];
  while (left.length > sample) left.splice(draws.below(left.length), 1);
  return left;
}
