import { ProofRecord } from '../provenance.ts';
import { historyFaults } from './index.ts';
import { type Exposed, type Found, isUnseen } from './prove-histories.ts';

/** Result of exploring a fault that only a history shows. */
export interface FoundRow {
  readonly id: string;
  readonly acts: number;
  /** Number of seeds with which it was found. */
  readonly times: number;
  readonly seeds: number;
  /** Medians over the seeds: number of the history that found it, and generations until then. */
  readonly history: number;
  readonly generations: number;
  /** Acts of the shortened histories: the median over the seeds, and the maximum. */
  readonly shortened: number;
  readonly longest: number;
  /** True if a check of a whole run fails; null if no whole run judged it. */
  readonly seen: boolean | null;
}

const seenWords = new Map([
  [true, 'seen'],
  [false, 'unseen'],
  [null, 'not judged'],
]);

/** Results of the last exploration, by fault. */
export const foundRecord = new ProofRecord<FoundRow>({
  file: 'harness/proof/histories/found.txt',
  head: `\
# What exploring makes of each fault that only a history shows.
# Written by \`touchstone prove --explore --fixed --update\`; \`npm run docs\` makes a table of it.
# fault: acts that its definition needs; with how many seeds it was found; medians of histories and generations
# until then; acts of the shortened histories, the median and the longest; whether a whole run sees it
`,
  told: ({ id, acts, times, seeds, history, generations, shortened, longest, seen }) =>
    `${id}: ${acts}; ${times} of ${seeds}; ${history}, ${generations}; ` +
    `${shortened}, ${longest}; ${seenWords.get(seen)}`,
  line: /^(\S+): (\d+); (\d+) of (\d+); (\d+), (\d+); (\d+), (\d+); (seen|unseen|not judged)$/,
  row: ([id = '', ...rest]) => {
    const [acts = 0, times = 0, seeds = 0, history = 0, generations = 0, shortened = 0] =
      rest.map(Number);
    const [longest, word] = [Number(rest[6]), rest[7]];
    const seen = word === 'not judged' ? null : word === 'seen';
    return { id, acts, times, seeds, history, generations, shortened, longest, seen };
  },
});

/** Returns the rows of faults that most seeds found. A seed without a find counts as later than all others. */
export function foundRows(exposed: readonly Exposed[]): FoundRow[] {
  return exposed.flatMap(({ id, acts, found, seenBy }) => {
    const each = found.flatMap((one) => one ?? []);
    const median = (of: (one: Found) => number): number =>
      medianOf(found.map((one) => (one === null ? Number.POSITIVE_INFINITY : of(one))));
    const history = median((one) => one.history);
    if (found.length === 0 || history === Number.POSITIVE_INFINITY) return [];
    return [
      {
        ...{ id, acts, times: each.length, seeds: found.length, history },
        generations: median((one) => one.generations),
        shortened: median((one) => one.acts),
        longest: Math.max(...each.map((one) => one.acts)),
        seen: seenBy === null ? null : !isUnseen({ seenBy }),
      },
    ];
  });
}

/** Returns the median; for an even number of values, the larger of the middle two. */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Writes the rows of these faults, and keeps those of faults that were not judged. */
export function writeFound(exposed: readonly Exposed[]): void {
  const rows = foundRows(exposed);
  const old = foundRecord.rows;
  const all = historyFaults.flatMap(({ id }) => {
    const [now, before] = [rows, old].map((some) => some.find((row) => row.id === id));
    if (now === undefined) return exposed.some((one) => one.id === id) ? [] : (before ?? []);
    return { ...now, seen: now.seen ?? before?.seen ?? null };
  });
  foundRecord.write(all);
}
