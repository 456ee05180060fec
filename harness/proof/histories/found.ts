import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';
import { historyFaults } from './index.ts';
import { type Exposed, isUnseen } from './prove-histories.ts';

/** What became of a fault that only a history shows. */
export interface FoundRow {
  readonly id: string;
  /** Acts that its definition needs. */
  readonly acts: number;
  /** Medians of the seeds: in which history it was found, and what had been asked for until then. */
  readonly history: number;
  readonly generations: number;
  /** Acts of the longest of the shortened histories. */
  readonly shortened: number;
  /** Whether a check of a whole run fails; null: it was not judged by one. */
  readonly seen: boolean | null;
}

/** The file that keeps them, from the root of the package. */
export const foundFile = 'harness/proof/histories/found.txt';

const head = `\
# What exploring makes of each fault that only a history shows.
# Written by \`touchstone prove --explore --fixed --update\`; \`npm run docs\` makes a table of it.
# fault: acts that its definition needs; medians of histories and generations until it was found; acts of
# the shortened history, at most; whether a whole run sees it
`;

/** The rows of what was found with every seed. */
export function foundRows(exposed: readonly Exposed[]): FoundRow[] {
  return exposed.flatMap(({ id, acts, found, seenBy }) => {
    const each = found.flatMap((one) => one ?? []);
    if (each.length === 0 || each.length < found.length) return [];
    return [
      {
        ...{ id, acts },
        history: medianOf(each.map(({ history }) => history)),
        generations: medianOf(each.map(({ generations }) => generations)),
        shortened: Math.max(...each.map((one) => one.acts)),
        seen: seenBy === null ? null : !isUnseen({ seenBy }),
      },
    ];
  });
}

/** The middle one; of an even number the larger of the two. */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Writes these rows; of a fault that was not judged, what is there stays. */
export function writeFound(rows: readonly FoundRow[]): void {
  const old = readFound();
  const all = historyFaults.flatMap(({ id }) => {
    const [now, before] = [rows, old].map((some) => some.find((row) => row.id === id));
    if (now === undefined) return before ?? [];
    return { ...now, seen: now.seen ?? before?.seen ?? null };
  });
  writeFileSync(join(packageRoot, foundFile), formatFound(all));
}

export function readFound(): FoundRow[] {
  return parseFound(readFileSync(join(packageRoot, foundFile), 'utf8'));
}

const seenWords = new Map([
  [true, 'seen'],
  [false, 'unseen'],
  [null, 'not judged'],
]);

export function formatFound(rows: readonly FoundRow[]): string {
  const lines = rows.map(
    ({ id, acts, history, generations, shortened, seen }) =>
      `${id}: ${acts}; ${history}, ${generations}; ${shortened}; ${seenWords.get(seen)}\n`,
  );
  return head + lines.join('');
}

/** @throws {Error} for a line that is no row */
export function parseFound(text: string): FoundRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, id, ...rest] =
        /^(\S+): (\d+); (\d+), (\d+); (\d+); (seen|unseen|not judged)$/.exec(line) ?? [];
      if (id === undefined) throw new Error(`${foundFile} has a line that is no row: ${line}`);
      const [acts = 0, history = 0, generations = 0, shortened = 0] = rest.map(Number);
      const seen = rest[4] === 'not judged' ? null : rest[4] === 'seen';
      return { id, acts, history, generations, shortened, seen };
    });
}
