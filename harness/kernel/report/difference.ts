import { type CheckResult, type CheckState, isAtPoints, type RunResult } from '../core/index.ts';

/** Kinds of change of the verdict on a check. */
export const changeKinds = [
  /** A MUST or a SHOULD that passed before and fails now. */
  'broken',
  /** Fails now, and was not judged before. */
  'newly-failing',
  /** Failed before, and passes now. */
  'fixed',
  /** Judged before, and not judged now. */
  'no-longer-judged',
  /** Not judged before, and passes now. */
  'newly-judged',
  /** Any other change, such as another reason for not being judged. */
  'other',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A check that two runs judged differently. */
export interface Change {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly from: CheckState | 'absent';
  readonly to: CheckState | 'absent';
  /** Message of the newer run, if its verdict is bad. */
  readonly why: string;
  /** Result in the newer run, or in the older one if the newer has none. */
  readonly check: CheckResult;
}

export interface Difference {
  /** Failures that are new in the newer run, of a MUST or a SHOULD. */
  readonly regressions: readonly Change[];
  /** Checks that failed before and pass now. */
  readonly fixes: readonly Change[];
  /** All other changes. */
  readonly others: readonly Change[];
}

/** Compares two runs, check by check. */
export function difference(older: RunResult, newer: RunResult): Difference {
  const before = new Map(older.checks.map((check) => [check.id, check]));
  const after = new Map(newer.checks.map((check) => [check.id, check]));
  const changes = [...new Map([...before, ...after]).values()].flatMap((check): Change[] => {
    const { id } = check;
    const now = after.get(id);
    const from = before.get(id)?.verdict.state ?? 'absent';
    const to = now?.verdict.state ?? 'absent';
    if (from === to) return [];
    const why = now === undefined ? '' : whyOf(now);
    return [{ id, kind: kindOf(from, to), from, to, why, check }];
  });
  const only = (...kinds: ChangeKind[]): Change[] =>
    changes.filter(({ kind }) => kinds.includes(kind));
  return {
    regressions: only('broken', 'newly-failing'),
    fixes: only('fixed'),
    others: only('no-longer-judged', 'newly-judged', 'other'),
  };
}

type Standing = 'holds' | 'broken' | 'not judged';

/** Classifies a state by its meaning for the gateway. */
export function standingOf(state: CheckState | 'absent'): Standing {
  if (state === 'fail' || state === 'warn') return 'broken';
  return state === 'pass' || state === 'note' ? 'holds' : 'not judged';
}

const kinds: Readonly<Record<Standing, Readonly<Record<Standing, ChangeKind>>>> = {
  holds: { holds: 'other', broken: 'broken', 'not judged': 'no-longer-judged' },
  broken: { holds: 'fixed', broken: 'other', 'not judged': 'no-longer-judged' },
  'not judged': { holds: 'newly-judged', broken: 'newly-failing', 'not judged': 'other' },
};

function kindOf(from: Change['from'], to: Change['to']): ChangeKind {
  return kinds[standingOf(from)][standingOf(to)];
}

function whyOf({ verdict }: CheckResult): string {
  if (isAtPoints(verdict)) {
    return verdict.state === 'pass' ? '' : `expected ${verdict.expected}, got ${verdict.actual}`;
  }
  return verdict.reason;
}
