/**
 * `npm run bench`: measures start, whole run, waiting, memory, `recheck` and `explore` as ratios of one sitting, and
 * writes their table into `harness/README.md`. `--gate` measures what `.ci/run` holds, and fails where it is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../kernel/cli/index.ts';
import { codeFile } from '../../kernel/core/index.ts';
import { renewPage } from '../tables-in-page.ts';
import { missed, tableOf } from './figures.ts';
import { measure } from './sitting.ts';

const options = new Command('bench')
  .description('Measures what Touchstone takes, beside an empty process and a bare request.')
  .option('--runs <n>', 'runs of each quick process; the least counts', wholeNumber(1, 1e6), 5)
  .option('--before <script>', 'the main.js of another build, measured in the same sitting')
  .option('--gate', 'fail where a figure is more than a quarter over its goal; writes nothing')
  .parse()
  .opts<{ runs: number; before?: string; gate?: true }>();

const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
try {
  const place = { folder, runs: options.runs };
  const isGate = options.gate === true;
  const before = options.before && (await measure(options.before, place, !isGate));
  const now = await measure(codeFile('harness/main', '.js'), place, !isGate);
  const table = tableOf(now, before || undefined);
  process.stdout.write(`${table}\n`);
  if (isGate) {
    const over = missed(now);
    for (const line of over) process.stderr.write(`✗ ${line}\n`);
    if (over.length > 0) process.exitCode = 1;
  } else if (before === undefined) {
    const sitting = `Node ${process.version}, ${availableParallelism()} cores, an empty process: ${now.empty.cpu.toFixed(2)} s`;
    renewPage('', 'bench', { figures: `${sitting}.\n\n${table}` });
  }
} finally {
  rmSync(folder, { recursive: true });
}
