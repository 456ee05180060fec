import { ProofRecord } from '../provenance.ts';
import { judgedByAll } from './index.ts';
import type { HonestRun } from './judge-honest.ts';

/** Result of the worst run on an honest gateway. */
interface Outcome {
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

const told = ({ verdict, failed, undecided }: Outcome): string =>
  `${verdict} ${failed} ${undecided}`;

const outcome = ([verdict = '', failed, undecided]: readonly string[]): Outcome => ({
  verdict,
  failed: Number(failed),
  undecided: Number(undecided),
});

/** Outcomes of the last proof, by gateway. */
export const outcomes = new ProofRecord<OutcomeRow>({
  file: 'harness/proof/honest/verdicts.txt',
  head: `\
# What the suite makes of each honest gateway: in the worst of its runs, the verdict, the MUSTs that failed
# and those that stayed undecided; when it was first judged, and now.
# Written by \`touchstone prove --honest --update\`; \`npm run docs\` makes a table of it.
`,
  told: ({ id, before, now }) => `${id}: ${told(before)}; ${told(now)}`,
  line: /^(\S+): (\w+) (\d+) (\d+); (\w+) (\d+) (\d+)$/,
  row: ([id = '', ...rest]) => ({
    id,
    before: outcome(rest.slice(0, 3)),
    now: outcome(rest.slice(3)),
  }),
});

/** Writes the outcomes of these runs, and keeps the rows of gateways that were not judged. */
export function writeOutcomes(worst: readonly HonestRun[]): void {
  const old = outcomes.rows;
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
  outcomes.write(rows);
}
