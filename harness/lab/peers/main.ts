/**
 * `npm run peers`: the reference gateway, judged by suites that other people made. What fails is read by
 * hand: the gateway is put right, or known.ts says why it is right. README.md of this folder has the
 * tables, which it renews when all suites were run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { startReference } from '../../reference/index.ts';
import { publishers } from '../others/gateway.ts';
import { install } from '../others/install.ts';
import { namedIn, print, renewPage } from '../tables-in-page.ts';
import { compare, countsTable, failuresTable, openTable, type Ran } from './compare.ts';
import { knownFailures } from './known.ts';
import type { PeerSuite } from './suite.ts';
import { suites } from './suites.ts';

const command = new Command('peers')
  .description('Judges the reference gateway with suites of other people, from the registry.')
  .argument('[names...]', `which: ${suites.map(({ name }) => name).join(', ')}`)
  .option('--folder <path>', 'installs and leaves reports here; what is installed is used again')
  .parse();
const { folder = mkdtempSync(join(tmpdir(), 'touchstone-peers-')) } = command.opts<{
  folder?: string;
}>();
const chosen = namedIn(command, suites, ({ name }) => name);

const runs: Ran[] = [];
for (const suite of chosen) runs.push(...(await judgedBy(suite, resolve(folder, suite.name))));
const outcomes = runs.flatMap((ran) => ran.outcomes);
const { fresh, stale } = compare(
  outcomes,
  knownFailures,
  chosen.map(({ name }) => name),
);
const tables = {
  suites: countsTable(runs),
  failed: failuresTable(outcomes, knownFailures),
  open: openTable(outcomes),
};
print(Object.values(tables).join('\n\n'));
for (const { id, said } of fresh) print(`\nNEW: ${id}: ${said}`);
for (const { id } of stale) print(`\nPasses by now, remove it from known.ts: ${id}`);
if (fresh.length > 0) process.exitCode = 1;
else if (chosen.length === suites.length) {
  print(`\n${renewPage('lab/peers', 'peers', tables)} is renewed; reports are in ${folder}.`);
}

/** Every way to run one suite, each against a gateway of its own. */
async function judgedBy(suite: PeerSuite, own: string): Promise<Ran[]> {
  const installed = await install(suite, own);
  const ran: Ran[] = [];
  const place = { baseUrl: '', model: '', key: '', report: '' };
  for (const way of Object.keys(suite.lines(place))) {
    const gateway = await startReference({ regions: ['eu'], names: publishers });
    try {
      const report = join(own, `${way}.json`);
      rmSync(report, { force: true });
      const baseUrl = gateway.regions[0]?.baseUrl ?? '';
      const at = { baseUrl, model: 'ts-omni', key: gateway.keys.owner, report };
      await perform(suite.lines(at)[way] ?? [], installed, own);
      if (!existsSync(report)) throw new Error(`${suite.name} has written no report: ${own}`);
      const read = suite.read(readFileSync(report, 'utf8'), way);
      ran.push({ suite: suite.name, version: suite.version, way, outcomes: read });
    } finally {
      await gateway.close();
    }
  }
  return ran;
}

/** Runs a suite with the folder as its home, because a suite may keep a library of its runs there. */
async function perform(
  [script = '', ...parameters]: readonly string[],
  installed: string,
  own: string,
) {
  mkdirSync(own, { recursive: true });
  const child = spawn(process.execPath, [join(installed, script), ...parameters], {
    cwd: own,
    env: { PATH: process.env.PATH, HOME: own, USERPROFILE: own, NO_COLOR: '1' },
    stdio: 'ignore',
    timeout: 300_000,
  });
  await once(child, 'close');
}
