import { type KillRow, readKillRows } from '../proof/generated/kill-table.ts';
import { table } from './table.ts';

/** What the last whole proof of the generated faults came to. */
export function killTable(): string {
  const rows = readKillRows();
  const sum = (of: (row: KillRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const cells = (name: string, faults: number, right: number, other: number, axes: string) => [
    name,
    String(faults),
    String(right),
    String(other),
    String(faults - right - other),
    axes,
  ];
  return table(
    ['decision', 'faults', 'by the right row', 'by another', 'unnoticed', 'noticed, by axis'],
    [
      ...rows.map(({ decision, faults, byRightRow, byOtherRow, axes }) =>
        cells(
          `\`${decision}\``,
          faults,
          byRightRow,
          byOtherRow,
          axes.map(([axis, noticed, of]) => `${axis} ${noticed}/${of}`).join(', '),
        ),
      ),
      cells(
        'all',
        sum(({ faults }) => faults),
        sum(({ byRightRow }) => byRightRow),
        sum(({ byOtherRow }) => byOtherRow),
        '',
      ),
    ],
    ['left', 'right', 'right', 'right', 'right', 'left'],
  );
}
