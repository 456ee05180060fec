import type { RunResult, RunVerdict } from '../core/index.ts';
import { verdictSigns, verdictTones } from './comparison/words.ts';
import {
  only,
  type ReportDocument,
  signOf,
  type TableRow,
  type Tone,
  toned,
} from './document/tree.ts';
import { claimInWords } from './scope.ts';
import { counted, countsInWords } from './words.ts';

/** Reason why a target has no verdict, in a word. `SKIPPED` means that there was nothing to judge again. */
export type Unjudged = 'UNREACHABLE' | 'NOT JUDGED' | 'SKIPPED';

/** Outcome of one of several targets: its result, or the reason why there is none. */
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

/** Details of the outcome, in a line that may be long. */
function factsOf(outcome: TargetOutcome): string {
  if (outcome.result === null) return outcome.why.split('\n')[0] ?? '';
  const claim = claimInWords(outcome.result);
  return [...countsInWords(outcome.result.counts), ...(claim === null ? [] : [claim])].join(', ');
}

function isGreen(verdict: RunVerdict | undefined): boolean {
  return verdict === 'conformant' || verdict === 'known-failures';
}

/** `3 targets, 2 of them conformant` */
function allInWords(outcomes: readonly TargetOutcome[]): string {
  const green = outcomes.filter(({ result }) => isGreen(result?.verdict)).length;
  return `${counted(outcomes.length, 'target')}, ${green} of them conformant`;
}

/** Several targets: a row for each, and a conclusion. */
export function targetsDocument(outcomes: readonly TargetOutcome[]): ReportDocument {
  const rows = outcomes.map((outcome): TableRow => {
    const { sign, tone } = lookOfOutcome(outcome);
    const word = toned(tone, wordOf(outcome));
    return { cells: [[signOf(tone, sign), ` ${outcome.name}`], word, factsOf(outcome)] };
  });
  return {
    kind: 'runs',
    title: allInWords(outcomes),
    conclusion: null,
    blocks: [
      only('terminal', { block: 'section', title: allInWords(outcomes), blocks: [] }),
      { block: 'table', label: 'Targets', head: ['target', 'verdict', ''], rows, wraps: 2 },
    ],
  };
}

function lookOfOutcome(outcome: TargetOutcome): { readonly sign: string; readonly tone: Tone } {
  if (outcome.result !== null) {
    const { verdict } = outcome.result;
    return { sign: verdictSigns[verdict], tone: verdictTones[verdict] };
  }
  return {
    UNREACHABLE: { sign: '✗', tone: 'fail' as const },
    'NOT JUDGED': { sign: '?', tone: 'inconclusive' as const },
    SKIPPED: { sign: '-', tone: 'excluded' as const },
  }[outcome.word];
}
