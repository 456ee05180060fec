import { markdownTable } from 'markdown-table';

type Alignment = 'left' | 'right';

/** A Markdown table, as the formatter would have it. Line breaks in a cell become spaces. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  alignment: readonly Alignment[] = [],
): string {
  const cells = (row: readonly string[]): string[] =>
    row.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|'));
  // The formatter leaves the left side, which is the default, unmarked.
  const align = head.map((_, column) => (alignment[column] === 'right' ? 'r' : null));
  return markdownTable([head, ...rows].map(cells), { align });
}
