import { createColors } from 'picocolors';
import { labelled, printable, wrap } from '../../../kernel/report/index.ts';
import type { Finding } from '../index.ts';

/** Formats findings as lines: a mark for each, with advice. */
export function findingLines(
  findings: readonly Finding[],
  colour: boolean,
  width: number,
): string[] {
  const colours = createColors(colour);
  const marks = {
    right: colours.green('✓'),
    wrong: colours.red('✗'),
    unreachable: colours.red('✗'),
    unknown: colours.yellow('?'),
  };
  return findings.flatMap(({ mark, what, next }) => [
    ...labelled('    ', wrap(printable(what), width - 4)).map((line, index) =>
      index === 0 ? `  ${marks[mark]} ${line.slice(4)}` : line,
    ),
    ...(next === undefined ? [] : labelled('    → ', wrap(printable(next), width - 6))),
  ]);
}
