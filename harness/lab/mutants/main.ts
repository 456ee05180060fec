/**
 * `npm run mutants`: changes the reference gateway’s own code in one place at a time, and judges each change by the
 * whole suite. README.md says what comes of them.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { markdownTable } from 'markdown-table';
import { wholeNumber } from '../../kernel/cli/index.ts';
import { seedOf } from '../../kernel/drawn/index.ts';
import { renewPage } from '../tables-in-page.ts';
import { instrumentedFile, instrumentReference, type Mutant } from './instrumented.ts';
import { JudgingProcess, type Result } from './judging-process.ts';

const options = new Command('mutants')
  .description('Judges changes of the reference gateway’s own code that nobody wrote a check for.')
  .option('--sample <n>', 'how many are drawn by the seed (default: all)', wholeNumber(1, 1e6))
  .option('--seed <n>', 'draws the sample', wholeNumber(0, 1e10), 1)
  .option('--mutant <id>', 'only this one')
  .option('--jobs <n>', 'processes', wholeNumber(1, 256), 2 * availableParallelism())
  .option('--write', 'writes the tables of README.md')
  .parse()
  .opts<{ sample?: number; seed: number; mutant?: string; jobs: number; write?: true }>();

const noticing = ['fails', 'warns', 'starts not'] as const;
const unnoticed = ['ends', 'hangs', 'withholds', 'undecided', 'silent'] as const;
const outcomes = [...noticing, ...unnoticed];
const isNoticed = ({ outcome }: Pick<Result, 'outcome'>): boolean =>
  noticing.some((one) => one === outcome);

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const started = performance.now();
const all = await instrumentReference();
const processes = Array.from({ length: options.jobs }, () => new JudgingProcess());
const sound = await (processes[0] ?? new JudgingProcess()).judge(null);
if (sound.outcome !== 'silent') {
  throw new Error(`The gateway without a mutant ${sound.outcome}: ${sound.by.join(', ')}`);
}
const met = new Set(sound.met);
const judgeable = all.filter(({ id }) => met.has(id));
const chosen =
  options.mutant === undefined
    ? byChance(judgeable).slice(0, options.sample)
    : all.filter(({ id }) => id === options.mutant);
say(
  `${all.length} mutants, ${judgeable.length} in code that a run executes, ${chosen.length} judged`,
);

const judged: (Mutant & Omit<Result, 'met'>)[] = [];
const queue = [...chosen];
await Promise.all(
  processes.map(async (one) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { outcome, by } = await one.judge(mutant.id);
      judged.push({ ...mutant, outcome, by });
      if (judged.length % 20 === 0) say(`${judged.length} of ${chosen.length}`);
    }
    one.end();
  }),
);

const seconds = Math.round((performance.now() - started) / 1000);
const folders = [...new Set(judged.map(folderOf))].sort();
const rates = markdownTable([
  ['folder', 'mutants', ...outcomes, 'noticed'],
  ...folders.map((folder) => rateOf(folder, (one) => folderOf(one) === folder)),
  rateOf('all', () => true),
]);
const survivors = judged
  .filter((one) => !isNoticed(one))
  .map(({ id, where, operator, change, outcome, by }) =>
    [where, operator, change, outcome, by.slice(0, 2).join(' '), `--mutant ${id}`].join('  '),
  )
  .sort();
process.stdout.write(`${survivors.join('\n')}\n\n${rates}\n\n${seconds} s.\n`);
writeFileSync(join(dirname(instrumentedFile), 'judged.json'), JSON.stringify(judged, null, 1));
if (options.write === true) {
  const drawn =
    options.sample === undefined ? 'all' : `${judged.length} drawn by seed ${options.seed}`;
  const about = `${all.length} mutants, ${judgeable.length} in code that a run executes, ${drawn}; ${seconds} s with ${options.jobs} processes.`;
  renewPage('lab/mutants', 'mutants', { rates: `${about}\n\n${rates}` });
}

/** Sorts mutants by chance. A larger sample has what a smaller one has, and code that is added moves few. */
function byChance(mutants: readonly Mutant[]): readonly Mutant[] {
  const rank = ({ where, operator, change }: Mutant): number =>
    seedOf(options.seed, where.replace(/:.*/, ''), operator, change);
  return mutants.toSorted((one, other) => rank(one) - rank(other));
}

function folderOf({ where }: Mutant): string {
  return dirname(where.replace(/:.*/, '')).replace('harness/', '');
}

function rateOf(name: string, isIn: (one: (typeof judged)[number]) => boolean): readonly string[] {
  const own = judged.filter(isIn);
  const counts = outcomes.map((outcome) => own.filter((one) => one.outcome === outcome).length);
  const noticed = own.filter(isNoticed).length;
  return [name, own.length, ...counts, `${((100 * noticed) / own.length).toFixed(1)} %`].map(
    String,
  );
}
