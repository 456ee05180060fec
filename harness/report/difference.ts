import type { CheckResult, RunResult } from '../core/result.ts';
import type { CheckState } from '../core/verdict.ts';

/** A check that two runs judged differently. */
export interface Change {
  readonly id: string;
  readonly from: CheckState | 'absent';
  readonly to: CheckState | 'absent';
  /** What the newer run says, where that is bad. */
  readonly why: string;
}

export interface Difference {
  /** Passed before and is broken now: a MUST, or a SHOULD. */
  readonly regressions: readonly Change[];
  /** Broken before and passes now. */
  readonly fixes: readonly Change[];
  /** Anything else that changed. */
  readonly others: readonly Change[];
}

const good = new Set<string>(['pass', 'note']);
const bad = new Set<string>(['fail', 'warn']);

/** Compares two runs, check by check. */
export function difference(older: RunResult, newer: RunResult): Difference {
  const before = new Map(older.checks.map((check) => [check.id, check]));
  const after = new Map(newer.checks.map((check) => [check.id, check]));
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Change[] => {
    const now = after.get(id);
    const from = before.get(id)?.verdict.state ?? 'absent';
    const to = now?.verdict.state ?? 'absent';
    return from === to ? [] : [{ id, from, to, why: now === undefined ? '' : whyOf(now) }];
  });
  const regressions = changes.filter(({ from, to }) => !bad.has(from) && bad.has(to));
  const fixes = changes.filter(({ from, to }) => bad.has(from) && good.has(to));
  const told = new Set([...regressions, ...fixes]);
  return { regressions, fixes, others: changes.filter((change) => !told.has(change)) };
}

function whyOf({ verdict }: CheckResult): string {
  if ('actual' in verdict) return `expected ${verdict.expected}, got ${verdict.actual}`;
  return 'reason' in verdict ? verdict.reason : '';
}
