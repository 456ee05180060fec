import { judgedByAll } from '../../proof/honest/index.ts';
import { type Outcome, readOutcomes } from '../../proof/honest/verdicts.ts';
import { table } from './table.ts';

/** Verdict of the suite on each honest gateway, at first and now. */
export function honestTable(): string {
  const rows = readOutcomes();
  return table(
    ['honest gateway', 'what it is like', 'when it was first judged', 'now'],
    judgedByAll.map(({ id, what }) => {
      const row = rows.find((one) => one.id === id);
      const told = (outcome: Outcome | undefined): string =>
        outcome === undefined ? 'not judged' : tell(outcome);
      return [`\`${id}\``, what, told(row?.before), told(row?.now)];
    }),
  );
}

function tell({ verdict, failed, undecided }: Outcome): string {
  if (failed + undecided === 0) return verdict;
  return `${verdict}: ${failed} MUST failed, ${undecided} undecided`;
}
