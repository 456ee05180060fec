import type { CheckState, RunResult, RunVerdict } from '../../core/index.ts';
import type { ChangeKind } from '../difference.ts';

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

/** Weight of each verdict: that of the similar check state. */
export const verdictTones: Readonly<Record<RunVerdict, CheckState>> = {
  conformant: 'pass',
  'known-failures': 'pass',
  nonconformant: 'fail',
  indeterminate: 'inconclusive',
  partial: 'untestable',
};

/** Sign of each verdict, for readers who see no colours. */
export const verdictSigns: Readonly<Record<RunVerdict, string>> = {
  conformant: '✓',
  'known-failures': '≈',
  nonconformant: '✗',
  indeterminate: '?',
  partial: '◐',
};
