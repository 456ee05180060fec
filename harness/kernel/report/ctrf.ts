import { type CheckResult, type RunResult, scopeOf } from '../core/index.ts';
import { authorityOf, basisInWords, specificationInWords } from './basis.ts';
import { isDue, outcomeOf } from './outcome.ts';
import { claimInWords } from './scope.ts';
import { titleOf } from './subject.ts';
import { summaryOf } from './summary.ts';

/**
 * The checks of a run that were due, in the Common Test Report Format. A check has the duration of its scenarios,
 * which other checks may share. An undecided check is `other`, with its own state as the raw status.
 */
export function renderCtrf(result: RunResult): string {
  const checks = result.checks.filter(isDue);
  const start = Date.parse(result.startedAt);
  const tests = checks.map((check) => {
    const { status, message, detail } = outcomeOf(check, result);
    const { verdict } = check;
    return {
      name: check.id,
      status,
      duration: Math.round(check.durationMs ?? 0),
      suite: [check.suite],
      ...(message === null ? {} : { message }),
      ...(detail === null ? {} : { trace: detail }),
      rawStatus: verdict.state,
      ...(isFlaky(check) ? { flaky: true } : {}),
      tags: [check.level, authorityOf(check.basis)],
      extra: {
        requirement: check.requirement,
        text: check.text,
        source: basisInWords(check.basis),
        ...(verdict.state === 'inconclusive' ? { cause: verdict.cause } : {}),
        ...(verdict.state === 'untestable' ? { gap: verdict.gap } : {}),
        ...(check.tries === undefined ? {} : { tries: check.tries }),
      },
    };
  });
  const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  const duration = Math.round(result.durationMs);
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    reportId: result.runId,
    timestamp: result.startedAt,
    generatedBy: 'gateway-touchstone',
    results: {
      tool: { name: 'touchstone', version: result.suiteVersion },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        suites: summaryOf(result).suites.length,
        start,
        stop: start + duration,
        duration,
        extra: {
          verdict: result.verdict,
          seed: result.seed,
          strict: result.strict,
          scope: { claim: claimInWords(result), ...scopeOf(result) },
          catalogue: result.catalogue,
          specification: specificationInWords(result),
        },
      },
      tests,
      environment: { testEnvironment: titleOf(result) },
    },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** True if a check passed in some rounds and failed in others. */
function isFlaky({ tries }: CheckResult): boolean {
  return tries !== undefined && tries.broken > 0 && tries.held > 0;
}
