import { createColors } from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { Progress, SuiteProgress } from '../engine/index.ts';
import { leftInWords, padded, roundInWords, waitingInWords, widest } from '../report/index.ts';

export interface BlockOptions {
  readonly colour: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly elapsedMs: number;
}

const widestBar = 24;

/** Formats the progress of a run in lines that fit the terminal. */
export function progressBlock(progress: Progress, options: BlockOptions): string[] {
  const colours = createColors(options.colour);
  const { suites } = progress;
  // A block higher than the screen cannot be repainted.
  const fits = suites.length + 2 < options.rows && options.columns >= 64;
  const lines = fits ? suites.map((suite) => suiteLine(suite, suites, options, colours)) : [];
  return [...lines, wholeLine(progress, options, colours)];
}

function suiteLine(
  progress: SuiteProgress,
  all: readonly SuiteProgress[],
  { columns }: BlockOptions,
  colours: Colors,
): string {
  const { suite, checks, judged, failed, undecided } = progress;
  const name = padded(suite, widest(all.map((other) => other.suite)));
  const digits = Math.max(...all.map((other) => String(other.checks).length));
  const count = `${String(judged).padStart(digits)}/${String(checks).padEnd(digits)}`;
  const words = [
    ...(failed > 0 ? [colours.red(`${failed} failed`)] : []),
    ...(undecided > 0 ? [colours.yellow(`${undecided} inconclusive`)] : []),
  ];
  const room = columns - widest([name]) - count.length - 36;
  const bar = barOf(judged, checks, Math.max(4, Math.min(widestBar, room)));
  const { mark, paint } = look(progress, colours);
  return `${paint(mark)} ${name}  ${paint(bar)}  ${count}${words.map((word) => `  ${word}`).join('')}`;
}

function look({ checks, judged, failed, undecided }: SuiteProgress, colours: Colors) {
  if (failed > 0) return { mark: '✗', paint: colours.red };
  if (judged < checks) return { mark: judged > 0 ? '›' : '·', paint: colours.cyan };
  return undecided > 0 ? { mark: '?', paint: colours.yellow } : { mark: '✓', paint: colours.green };
}

function barOf(judged: number, checks: number, width: number): string {
  const full = checks === 0 ? width : Math.floor((judged / checks) * width);
  return '━'.repeat(full) + '╌'.repeat(width - full);
}

function wholeLine(
  { checks, judged, failed, inFlight, requests, heldBy, leftMs, round }: Progress,
  { columns, elapsedMs }: BlockOptions,
  colours: Colors,
): string {
  const left = leftInWords(leftMs);
  const words = [
    ...roundInWords(round),
    `${judged} of ${checks} checks`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${requests} requests`,
    // A narrow terminal has no room for both.
    ...(left.length > 0 && columns < 100 ? [] : [`${inFlight} in flight`]),
    ...waitingInWords(heldBy),
    `${Math.floor(elapsedMs / 1000)} s`,
    ...left,
  ].join(between);
  return dimmed(words, { columns, colour: colours.isColorSupported });
}

const between = ' · ';

/** Formats a line, without its last parts if they exceed the width of the terminal. */
export function dimmed(
  words: string,
  { columns, colour }: Pick<BlockOptions, 'columns' | 'colour'>,
): string {
  const room = words.slice(0, columns - 1);
  const whole = room.length < words.length ? room.lastIndexOf(between) : -1;
  return createColors(colour).dim(whole < 0 ? room : room.slice(0, whole));
}
