import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, CheckVerdict, RunResult } from '../../kernel/core/index.ts';

/** Members that are not compared, because they depend on the time or the process. */
const measured = new Set(['durationMs', 'traffic', 'suiteVersion', 'checks', 'format', 'version']);

/**
 * Lists the differences between a report and a new judgement of its exchanges. Checks that fail on the exchanges
 * come first, because a forger would hide them.
 */
export function disagreements(report: RunResult, rejudged: RunResult): string[] {
  const again = new Map(rejudged.checks.map((check) => [check.id, check]));
  const isBroken = ({ id }: CheckResult): boolean => again.get(id)?.verdict.state === 'fail';
  const brokenFirst = [
    ...report.checks.filter(isBroken),
    ...report.checks.filter((check) => !isBroken(check)),
  ];
  const checks = brokenFirst.flatMap((stated) => {
    const judged = again.get(stated.id);
    return judged === undefined ? [] : disagreement(stated, judged);
  });
  const members = new Set([...Object.keys(report), ...Object.keys(rejudged)]);
  const others = [...members].filter(
    (name) =>
      !measured.has(name) &&
      !isDeepStrictEqual(Reflect.get(report, name), Reflect.get(rejudged, name)),
  );
  const { requests, generations } = report.traffic;
  if (requests !== rejudged.traffic.requests || generations !== rejudged.traffic.generations) {
    others.push('traffic');
  }
  return [
    ...checks,
    ...others.map((name) => `\`${name}\` of the report is not what the exchanges come to`),
  ];
}

function disagreement(stated: CheckResult, judged: CheckResult): string[] {
  const { id } = stated;
  const { verdict, durationMs: _, ...rest } = stated;
  const { verdict: other, durationMs: __, ...otherRest } = judged;
  if (verdict.state !== other.state) {
    return [`${id}: the report says ${verdict.state}, its exchanges say ${inWords(other)}`];
  }
  // The text of an error contains a stack position, which differs between machines.
  const same = verdict.state === 'error' || isDeepStrictEqual(verdict, other);
  if (!same) {
    return [`${id}: the report gives another reason than its exchanges: ${inWords(other)}`];
  }
  if (isDeepStrictEqual(rest, otherRest)) return [];
  return [`${id}: the report does not describe the check as the catalogue does`];
}

function inWords(verdict: CheckVerdict): string {
  if ('reason' in verdict) return `${verdict.state}: ${verdict.reason}`;
  if (verdict.state === 'pass') return verdict.state;
  return `${verdict.state}: expected ${verdict.expected}; ${verdict.actual}`;
}
