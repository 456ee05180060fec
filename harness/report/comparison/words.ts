import type { RunResult } from '../../core/index.ts';
import type { ChangeKind } from '../difference.ts';
import { countsInWords } from '../words.ts';

/** Names and meanings of the kinds of changes. */
export const kindWords: Readonly<
  Record<ChangeKind, { readonly title: string; readonly meaning: string; readonly counted: string }>
> = {
  broken: { title: 'Broken', meaning: 'held before, and does not now', counted: 'broken' },
  'newly-failing': {
    title: 'Fails, and was not judged before',
    meaning: 'nobody knows whether it held',
    counted: 'failing that were not judged before',
  },
  fixed: { title: 'Fixed', meaning: 'was broken, and holds now', counted: 'fixed' },
  'no-longer-judged': {
    title: 'No longer judged',
    meaning: 'what it said before may no longer be true',
    counted: 'no longer judged',
  },
  'newly-judged': { title: 'Judged now', meaning: 'and holds', counted: 'judged now' },
  other: { title: 'Otherwise changed', meaning: '', counted: 'otherwise changed' },
};

/** `2026-01-02 03:04 UTC` */
export function minuteOf({ startedAt }: Pick<RunResult, 'startedAt'>): string {
  return startedAt.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC');
}

/** Facts of a run: names and values. */
export function runFacts(result: RunResult): readonly (readonly [string, string])[] {
  return [
    ['counts', countsInWords(result.counts).join(', ')],
    ['suite', `Touchstone ${result.suiteVersion}, specification ${result.specification.revision}`],
    ['seed', String(result.seed)],
  ];
}
