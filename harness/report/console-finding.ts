import type { Colors } from 'picocolors/types.js';
import type { Finding, RunResult } from '../core/index.ts';
import { basisInWords } from './basis.ts';
import { conversationOf, wrappedConversation } from './conversations.ts';
import { printable } from './printable.ts';
import type { ResultOf } from './summary.ts';
import { triesInWords } from './words.ts';
import { labelled, wrap } from './wrap.ts';

export interface Style {
  readonly colours: Colors;
  /** Columns that text is broken at. */
  readonly width: number;
}

/** Result that holds the conversations of a client in which findings were made. */
type Conversations = Pick<RunResult, 'conversations'>;

/** Lines of each field that are printed at most. */
interface Lengths {
  readonly text: number;
  readonly actual: number;
  readonly received: number;
  readonly source: number;
}

const long: Lengths = { text: 99, actual: 99, received: 14, source: 99 };
const short: Lengths = { text: 3, actual: 4, received: 4, source: 3 };

/**
 * A broken requirement in full, always in this order: id and level, its text, expected, actual, the
 * exchange, the line that repeats it, the source.
 */
export function finding(
  check: ResultOf<'fail' | 'warn'>,
  style: Style,
  result: Conversations = {},
  lengths = long,
): string[] {
  const { colours, width } = style;
  const paint = check.verdict.state === 'fail' ? colours.red : colours.yellow;
  return [
    `${paint('✗')} ${colours.bold(check.id)}  ${paint(check.level)}`,
    ...labelled('  ', first(wrap(check.text, width - 2), lengths.text)),
    ...findingFields(check, style, result, lengths),
  ];
}

/** Prints a finding with only a few lines of its long fields, because reports have the rest. */
export function shortestFinding(
  check: ResultOf<'fail' | 'warn'>,
  style: Style,
  result: Conversations = {},
): string[] {
  return finding(check, style, result, short);
}

/** Prints the fields of a finding, from the expectation on: without the id and its text. */
export function findingFields(
  check: ResultOf<'fail' | 'warn'>,
  style: Style,
  result: Conversations = {},
  lengths = long,
): string[] {
  const { verdict, basis } = check;
  const { width, colours } = style;
  const conversation = conversationOf(check, result);
  const tried = triesInWords(check);
  const field = (name: string, lines: readonly string[]): string[] =>
    labelled(`  ${name.padEnd(9)} `, lines);
  return [
    ...field('expected', first(wrap(printable(verdict.expected), width - 12), lengths.actual)),
    ...field('actual', first(wrap(printable(verdict.actual), width - 12), lengths.actual)),
    ...(tried === null ? [] : field('tries', wrap(tried, width - 12))),
    ...field('exchange', exchange(verdict, style, lengths)),
    ...(conversation === null
      ? []
      : field('seen', wrappedConversation(conversation, width - 12).map(colours.dim))),
    // The command stays on one line, so that it can be copied.
    ...field('repeat', [
      verdict.evidence === null ? '(nothing to repeat)' : printable(verdict.evidence.curl),
    ]),
    ...field(
      'source',
      first(
        basisInWords(basis).flatMap((line) => wrap(line, width - 12)),
        lengths.source,
      ),
    ),
  ];
}

/** Prints a finding that does not fail the run, or the result of a MAY, in two or three lines. */
export function shortFinding(
  check: ResultOf<'fail' | 'warn' | 'note'>,
  { colours, width }: Style,
): string[] {
  const { verdict } = check;
  const { evidence } = verdict;
  const tried = triesInWords(check);
  const rate = tried === null ? '' : `; ${tried}`;
  const seen =
    verdict.state === 'note'
      ? verdict.actual
      : `${verdict.actual}; expected ${verdict.expected}${rate}`;
  return [
    `  ${colours.bold(check.id)}`,
    ...labelled('    ', wrap(printable(seen), width - 4)),
    ...(evidence === null || verdict.state === 'note'
      ? []
      : [colours.dim(`    ${printable(`${evidence.request} → ${evidence.outcome}`)}`)]),
  ];
}

/** The first lines, and a mark where there are more. */
function first(lines: readonly string[], shown: number): readonly string[] {
  const kept = lines.slice(0, shown);
  const last = kept.at(-1);
  return last === undefined || lines.length <= shown ? kept : [...kept.slice(0, -1), `${last} …`];
}

function exchange(
  { evidence, actual }: Finding,
  { colours, width }: Style,
  lengths: Lengths,
): string[] {
  if (evidence === null) return ['(not judged on a single exchange)'];
  const received = wrap(printable(evidence.received).trimEnd(), width - 12);
  const shown = received.slice(0, lengths.received);
  if (received.length > shown.length) shown.push(`… ${received.length - shown.length} more lines`);
  return [
    printable(`${evidence.request} → ${evidence.outcome}`),
    // The received data is often the finding itself, and is not printed twice.
    ...(['', actual].includes(evidence.received) ? [] : shown.map(colours.dim)),
  ];
}
