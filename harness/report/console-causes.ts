import type { RootCause, RunResult } from '../core/index.ts';
import { causeInWords } from './cause-words.ts';
import { finding, type Style, shortestFinding } from './console-finding.ts';
import { causesInShort } from './console-lists.ts';
import { counted, firstOf } from './words.ts';
import { labelled, rowsOf, wrap } from './wrap.ts';

/** Number of causes told in full: all if there are at most `inFull`, otherwise only the `first`. */
const most = { inFull: 10, first: 3 };

/** Number of further causes that are named even if the terminal is small. */
const least = 8;

interface Room {
  /** Rows of the terminal. */
  readonly rows: number;
  /** Columns of the terminal. */
  readonly columns: number;
}

/**
 * Prints the failures by their causes: the first in full, each of the others in one line.
 *
 * @param room the first cause is told in full in any case
 */
export function failures(
  causes: readonly RootCause[],
  result: RunResult,
  style: Style,
  { rows, columns }: Room,
): string[] {
  if (causes.length === 0) return [];
  const heading = ['', ...headingOf(causes, style)];
  const shown = causes.slice(0, causes.length > most.inFull ? most.first : most.inFull);
  const all = shown.flatMap((cause) => ['', ...inFull(cause, result, style, finding)]);
  const isFew = causes.length <= most.first;
  if (isFew && rowsOf([...heading, ...all], { columns }) <= rows) return [...heading, ...all];
  const told = shown.map((cause) => ['', ...inFull(cause, result, style, shortestFinding)]);
  let full = told.length;
  // Leaves room for some of the further causes.
  const needed = (): number =>
    rowsOf(told.slice(0, full).flat(), { columns }) + Math.min(least, causes.length - full) + 5;
  while (full > 1 && needed() > rows) full--;
  const left = rows - rowsOf([...heading, ...told.slice(0, full).flat()], { columns }) - 3;
  const others = causes.slice(full);
  const lines = causesInShort(others, Math.max(least, left), style);
  const named = ['', style.colours.dim('checks  the other causes, by one check of each'), ...lines];
  return [...heading, ...told.slice(0, full).flat(), ...(lines.length === 0 ? [] : named)];
}

/** Every finding of every cause. */
export function failuresInFull(
  causes: readonly RootCause[],
  result: RunResult,
  style: Style,
): string[] {
  return causes.flatMap((cause) => {
    const { failed, waiting } = cause;
    return [
      ...['', style.colours.bold(`● ${headOf(cause)}`)],
      ...failed.flatMap((check) => ['', ...finding(check, style, result)]),
      ...waitingLines(waiting, waiting.length, style),
    ];
  });
}

function headingOf(causes: readonly RootCause[], { colours, width }: Style): string[] {
  const failed = causes.reduce((sum, cause) => sum + cause.failed.length, 0);
  const waiting = causes.reduce((sum, cause) => sum + cause.waiting.length, 0);
  const title = `Failed: ${counted(causes.length, 'cause')}, ${counted(failed, 'check')}`;
  const besides = waiting === 0 ? '' : ` ${waiting} more could not be judged because of them.`;
  const [first = '', ...rest] = wrap(`${title}.${besides}`, width);
  return [colours.bold(first), ...rest.map((line) => colours.bold(line))];
}

function headOf(cause: RootCause): string {
  const { failed, waiting } = cause;
  const besides = waiting.length === 0 ? '' : `, ${waiting.length} more could not be judged`;
  return `1 cause, ${counted(failed.length, 'check')}${besides}`;
}

function inFull(
  cause: RootCause,
  result: RunResult,
  style: Style,
  findingOf: typeof shortestFinding,
): string[] {
  const { kind, root, failed, waiting } = cause;
  const others = failed.slice(1);
  return [
    ...(kind === 'no-key-checked'
      ? wrap(causeInWords(cause), style.width).map((line) => style.colours.bold(line))
      : []),
    ...findingOf(root, style, result),
    ...field('also', others.length === 0 ? '' : alsoFailing(others), style),
    ...waitingLines(waiting, 2, style),
  ];
}

function alsoFailing(others: RootCause['failed']): string {
  return `${counted(others.length, 'more fails', 'more fail')} because of it: ${firstOf(others, 2)}`;
}

function waitingLines(waiting: RootCause['waiting'], shown: number, style: Style): string[] {
  if (waiting.length === 0) return [];
  const text = `${counted(waiting.length, 'check')} could not be judged because of it: ${firstOf(waiting, shown)}`;
  return field('waiting', text, style);
}

function field(name: string, text: string, { width }: Style): string[] {
  return text === '' ? [] : labelled(`  ${name.padEnd(9)} `, wrap(text, width - 12));
}
