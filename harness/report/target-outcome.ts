import type { RunResult } from '../core/result.ts';
import { counted, countsInWords } from './words.ts';

/** Why a target has no verdict, in a word. `SKIPPED`: there was nothing to judge again. */
export type Unjudged = 'UNREACHABLE' | 'NOT JUDGED' | 'SKIPPED';

/** What became of one of several targets: its result, or why there is none. */
export type TargetOutcome =
  | { readonly name: string; readonly result: RunResult }
  | {
      readonly name: string;
      readonly result: null;
      readonly word: Unjudged;
      readonly why: string;
    };

/** What became of one of several targets, in a word: its verdict, in capitals. */
export function wordOf(outcome: TargetOutcome): string {
  return outcome.result === null ? outcome.word : outcome.result.verdict.toUpperCase();
}

/** What it rests on, in a line that may be long. */
export function factsOf(outcome: TargetOutcome): string {
  if (outcome.result === null) return outcome.why.split('\n')[0] ?? '';
  return countsInWords(outcome.result.counts).join(', ');
}

/** `3 targets, 2 of them conformant` */
export function allInWords(outcomes: readonly TargetOutcome[]): string {
  const green = outcomes.filter(({ result }) => result?.verdict === 'conformant').length;
  return `${counted(outcomes.length, 'target')}, ${green} of them conformant`;
}
