import type { Colors } from 'picocolors/types.js';
import type { RunResult } from '../core/result.ts';
import type { Finding } from '../core/verdict.ts';
import { basisInWords } from './basis.ts';
import { conversationOf, wrappedConversation } from './conversations.ts';
import { printable } from './printable.ts';
import type { ResultOf } from './summary.ts';
import { labelled, wrap } from './wrap.ts';

export interface Style {
  readonly colours: Colors;
  readonly width: number;
}

/** Where the start of a client is found that a finding was made in. */
type Conversations = Pick<RunResult, 'conversations'>;

/** As many lines of a response as a terminal should be filled with. */
const receivedLines = 14;

/**
 * A broken requirement in full, always in this order: id and level, its text, expected, actual, the
 * exchange, the line that repeats it, the source.
 */
export function finding(
  check: ResultOf<'fail' | 'warn'>,
  style: Style,
  result: Conversations = {},
): string[] {
  const { colours, width } = style;
  const paint = check.verdict.state === 'fail' ? colours.red : colours.yellow;
  return [
    `${paint('✗')} ${colours.bold(check.id)}  ${paint(check.level)}`,
    ...labelled('  ', wrap(check.text, width - 2)),
    ...findingFields(check, style, result),
  ];
}

/** The same from what was expected on: without the id and its text. */
export function findingFields(
  check: ResultOf<'fail' | 'warn'>,
  style: Style,
  result: Conversations = {},
): string[] {
  const { verdict, basis } = check;
  const { width, colours } = style;
  const conversation = conversationOf(check, result);
  const field = (name: string, lines: readonly string[]): string[] =>
    labelled(`  ${name.padEnd(9)} `, lines);
  return [
    ...field('expected', wrap(printable(verdict.expected), width - 12)),
    ...field('actual', wrap(printable(verdict.actual), width - 12)),
    ...field('exchange', exchange(verdict, style)),
    ...(conversation === null
      ? []
      : field('seen', wrappedConversation(conversation, width - 12).map(colours.dim))),
    // One line, however long, or it could not be copied.
    ...field('repeat', [
      verdict.evidence === null ? '(nothing to repeat)' : printable(verdict.evidence.curl),
    ]),
    ...field(
      'source',
      basisInWords(basis).flatMap((line) => wrap(line, width - 12)),
    ),
  ];
}

/** What does not fail the run, or what a MAY showed, in two or three lines. */
export function shortFinding(
  check: ResultOf<'fail' | 'warn' | 'note'>,
  { colours, width }: Style,
): string[] {
  const { verdict } = check;
  const { evidence } = verdict;
  const seen =
    verdict.state === 'note' ? verdict.actual : `${verdict.actual}; expected ${verdict.expected}`;
  return [
    `  ${colours.bold(check.id)}`,
    ...labelled('    ', wrap(printable(seen), width - 4)),
    ...(evidence === null || verdict.state === 'note'
      ? []
      : [colours.dim(`    ${printable(`${evidence.request} → ${evidence.outcome}`)}`)]),
  ];
}

function exchange({ evidence, actual }: Finding, { colours, width }: Style): string[] {
  if (evidence === null) return ['(not judged on a single exchange)'];
  const received = wrap(printable(evidence.received).trimEnd(), width - 12);
  const shown = received.slice(0, receivedLines);
  if (received.length > shown.length) shown.push(`… ${received.length - shown.length} more lines`);
  return [
    printable(`${evidence.request} → ${evidence.outcome}`),
    // What came is often what is wrong: once is enough.
    ...(['', actual].includes(evidence.received) ? [] : shown.map(colours.dim)),
  ];
}
