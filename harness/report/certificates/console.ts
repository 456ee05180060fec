import { minuteOf } from '../comparison/words.ts';
import { inOneLine, quoted } from '../line.ts';
import { padded, widest, wrap } from '../wrap.ts';
import { type ListedBundle, problemInWords } from './listed.ts';

const heads = ['', 'bundle', 'level', 'subject', 'covers', 'date'] as const;

/**
 * A list of bundles for a terminal: a row each, and below it why it is rejected.
 *
 * @param width of the terminal, in columns
 */
export function renderBundles(bundles: readonly ListedBundle[], width: number): string {
  const rows = bundles.map(({ name, word, level, about }) => [
    word,
    quoted(name),
    level ?? '',
    about === null ? '' : quoted(about.subject),
    about === null ? '' : inOneLine(about.covers),
    about === null ? '' : minuteOf(about),
  ]);
  const widths = heads.map((head, index) => widest([head, ...rows.map((row) => row[index] ?? '')]));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = bundles.flatMap((bundle, index) => [
    line(rows[index] ?? []),
    ...problemLines(inOneLine(problemInWords(bundle)), width),
  ]);
  return `${[line(heads), ...lines].join('\n')}\n`;
}

function problemLines(problem: string, width: number): string[] {
  if (problem === '') return [];
  const lines = Number.isFinite(width) ? wrap(problem, width - 2) : [problem];
  return lines.map((text) => `  ${text}`);
}
