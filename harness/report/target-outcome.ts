import type { RunResult, RunVerdict } from '../core/index.ts';
import { claimInWords } from './scope.ts';
import { counted, countsInWords } from './words.ts';

/** Reason why a target has no verdict, in a word. `SKIPPED`: there was nothing to judge again. */
export type Unjudged = 'UNREACHABLE' | 'NOT JUDGED' | 'SKIPPED';

/** Outcome of one of several targets: its result, or why there is none. */
export type TargetOutcome =
  | { readonly name: string; readonly result: RunResult }
  | {
      readonly name: string;
      readonly result: null;
      readonly word: Unjudged;
      readonly why: string;
    };

/** Outcome of one of several targets in a word: its verdict, in capitals. */
export function wordOf(outcome: TargetOutcome): string {
  if (outcome.result === null) return outcome.word;
  const { verdict, knownFailures } = outcome.result;
  const known = counted(knownFailures?.excused.length ?? 0, 'known failure');
  return verdict === 'known-failures' ? `CONFORMANT but for ${known}` : verdict.toUpperCase();
}

/** Facts behind the outcome, in a line that may be long. */
export function factsOf(outcome: TargetOutcome): string {
  if (outcome.result === null) return outcome.why.split('\n')[0] ?? '';
  const claim = claimInWords(outcome.result);
  return [...countsInWords(outcome.result.counts), ...(claim === null ? [] : [claim])].join(', ');
}

function isGreen(verdict: RunVerdict | undefined): boolean {
  return verdict === 'conformant' || verdict === 'known-failures';
}

/** `3 targets, 2 of them conformant` */
export function allInWords(outcomes: readonly TargetOutcome[]): string {
  const green = outcomes.filter(({ result }) => isGreen(result?.verdict)).length;
  return `${counted(outcomes.length, 'target')}, ${green} of them conformant`;
}
