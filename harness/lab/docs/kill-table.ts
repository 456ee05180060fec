import { type KillRow, readKillRows } from '../../proof/generated/kill-table.ts';
import { table } from './table.ts';

/** Results of the last whole proof of the generated faults. */
export function killTable(): string {
  const rows = readKillRows();
  if (rows.length === 0) return 'Nobody has judged all of them yet.';
  const sum = (of: (row: KillRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const all: KillRow = {
    decision: 'all',
    faults: sum(({ faults }) => faults),
    byRightRow: sum(({ byRightRow }) => byRightRow),
    byOtherRow: sum(({ byOtherRow }) => byOtherRow),
    onlyThorough: sum(({ onlyThorough }) => onlyThorough),
    axes: [],
  };
  return table(
    [
      'decision',
      'faults',
      'by the right row',
      'by another',
      'only with `--thorough`',
      'unnoticed',
      'noticed, by axis',
    ],
    [...rows, all].map(({ decision, faults, byRightRow, byOtherRow, onlyThorough, axes }) => [
      decision === 'all' ? decision : `\`${decision}\``,
      String(faults),
      String(byRightRow),
      String(byOtherRow),
      String(onlyThorough),
      String(faults - byRightRow - byOtherRow - onlyThorough),
      axes.map(([axis, noticed, of]) => `${axis} ${noticed}/${of}`).join(', '),
    ]),
    ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
  );
}
