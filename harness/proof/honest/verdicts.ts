import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';
import { judgedByAll } from './index.ts';
import type { HonestRun } from './judge-honest.ts';

/** Result of the worst run on an honest gateway. */
export interface Outcome {
  readonly verdict: string;
  readonly failed: number;
  readonly undecided: number;
}

interface OutcomeRow {
  readonly id: string;
  /** Outcome when it was first judged. */
  readonly before: Outcome;
  readonly now: Outcome;
}

/** Path of the table, from the root of the package. */
const verdictsFile = 'harness/proof/honest/verdicts.txt';

const head = `\
# What the suite makes of each honest gateway: in the worst of its runs, the verdict, the MUSTs that failed
# and those that stayed undecided; when it was first judged, and now.
# Written by \`touchstone prove --honest --update\`; \`npm run docs\` makes a table of it.
`;

/** Writes the outcomes of these runs, and keeps the rows of gateways that were not judged. */
export function writeOutcomes(worst: readonly HonestRun[]): void {
  const old = readOutcomes();
  const rows = judgedByAll.flatMap(({ id }): OutcomeRow[] => {
    const known = old.find((row) => row.id === id);
    const run = worst.find((one) => one.id === id);
    if (run === undefined) return known === undefined ? [] : [known];
    const now = {
      verdict: run.verdict,
      failed: run.failed.length,
      undecided: run.undecided.length,
    };
    return [{ id, before: known?.before ?? now, now }];
  });
  writeFileSync(join(packageRoot, verdictsFile), formatOutcomes(rows));
}

export function readOutcomes(): OutcomeRow[] {
  return parseOutcomes(readFileSync(join(packageRoot, verdictsFile), 'utf8'));
}

export function formatOutcomes(rows: readonly OutcomeRow[]): string {
  const told = ({ verdict, failed, undecided }: Outcome): string =>
    `${verdict} ${failed} ${undecided}`;
  return (
    head + rows.map(({ id, before, now }) => `${id}: ${told(before)}; ${told(now)}\n`).join('')
  );
}

/** @throws {Error} for an invalid line */
export function parseOutcomes(text: string): OutcomeRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, id, ...rest] = /^(\S+): (\w+) (\d+) (\d+); (\w+) (\d+) (\d+)$/.exec(line) ?? [];
      if (id === undefined) throw new Error(`${verdictsFile} has a line that is no row: ${line}`);
      const outcome = ([verdict = '', failed, undecided]: readonly string[]): Outcome => ({
        verdict,
        failed: Number(failed),
        undecided: Number(undecided),
      });
      return { id, before: outcome(rest.slice(0, 3)), now: outcome(rest.slice(3)) };
    });
}
