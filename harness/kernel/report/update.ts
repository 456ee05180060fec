import {
  binds,
  type CheckResult,
  countsOf,
  failsRun,
  type RunResult,
  runVerdict,
} from '../core/index.ts';

/**
 * Merges a further run of a gateway into earlier results: checks that it did not judge keep their verdict.
 *
 * @param latest without known failures taken out of its verdict
 */
export function updated(before: RunResult, latest: RunResult): RunResult {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const checks = latest.checks.map((check) =>
    check.verdict.state === 'excluded' ? (earlier.get(check.id) ?? check) : check,
  );
  const verdict = runVerdict(checks, { strict: latest.strict });
  return { ...latest, checks, counts: countsOf(checks), verdict };
}

/**
 * The checks that keep a run from being conformant: what failed and is not known to, and what had to
 * be decided and was not.
 */
export function openIn({ checks, strict, knownFailures }: RunResult): readonly CheckResult[] {
  const known = new Set(knownFailures?.excused);
  return checks.filter((check) => {
    const { level, verdict } = check;
    if (failsRun(check, strict)) return !known.has(check.id);
    if (verdict.state === 'error') return true;
    return verdict.state === 'inconclusive' && binds(level, strict);
  });
}
