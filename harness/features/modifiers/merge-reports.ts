import { isDeepStrictEqual } from 'node:util';
import {
  type Cause,
  type CheckResult,
  type CheckVerdict,
  countsOf,
  entriesOf,
  excuse,
  type Invocation,
  isAtPoints,
  type JudgedModels,
  joinedProvenance,
  type RunResult,
  runVerdict,
  worstStates,
} from '../../kernel/core/index.ts';
import { isDue } from '../../kernel/report/index.ts';
import { joinedTimes, joinedTraffic } from './joined-traffic.ts';

/** The reports cannot be of the parts of one run. */
export class NotParts extends Error {
  override readonly name = 'NotParts';
}

export interface Part {
  readonly file: string;
  readonly report: RunResult;
}

/**
 * Joins the reports of a run that was split: each check has the verdict of the part that judged it. If no part
 * judged a check because its report is missing, the check is inconclusive, and the run indeterminate.
 *
 * @throws {NotParts} when the reports are of different runs, or two of them judged the same checks
 */
export function mergeReports(parts: readonly Part[]): RunResult {
  const [first] = parts;
  if (first === undefined) throw new NotParts('There is no report to merge.');
  for (const part of parts) assertFits(part, first);
  const of = first.report.shard?.of ?? 1;
  const given = new Map<number, string>();
  for (const { file, report } of parts) {
    const index = report.shard?.index ?? 1;
    const other = given.get(index);
    if (other !== undefined)
      throw new NotParts(`${other} and ${file} are both part ${index}/${of}.`);
    given.set(index, file);
  }
  const absent = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !given.has(index));
  const checks = first.report.checks.map((check) => joined(check.id, parts, absent, of));
  const { strict, knownFailures } = first.report;
  const verdict = runVerdict(checks, { strict });
  const { shard: _, knownFailures: __, invocation, ...common } = first.report;
  const models = modelsOf(parts);
  const seen = parts.flatMap(({ report }) => report.provenance ?? []);
  const merged: RunResult = {
    ...common,
    target: { ...common.target, ...(models === undefined ? {} : { models }) },
    ...joinedTimes(parts.map(({ report }) => report)),
    runId: parts.map(({ report }) => report.runId).join(' '),
    interrupted: parts.some(({ report }) => report.interrupted),
    ...keysMaskedOf(parts),
    verdict,
    counts: countsOf(checks),
    traffic: joinedTraffic(parts.map(({ report }) => report)),
    ...(seen.length === 0 ? {} : { provenance: joinedProvenance(seen) }),
    checks,
    ...(invocation === undefined ? {} : { invocation: withoutReport(invocation) }),
  };
  const result =
    knownFailures === undefined
      ? merged
      : excuse(merged, knownFailures.file, entriesOf(knownFailures));
  // A missing part must not leave the run green, even if it has no MUST.
  const green = result.verdict !== 'nonconformant';
  return green && absent.length > 0 ? { ...result, verdict: 'indeterminate' } : result;
}

/**
 * Each part judges its own models, and only has the lists that its checks need. For a listed model that a report
 * does not name, it is unknown if another part judged it.
 */
function modelsOf(parts: readonly Part[]): JudgedModels | undefined {
  const all = parts.flatMap(({ report }) => report.target.models ?? []);
  const judged = new Set(all.flatMap((models) => models.judged));
  const [one] = all.toSorted((a, b) => (b.listed ?? -1) - (a.listed ?? -1));
  if (one === undefined) return undefined;
  const known = new Set([...judged].flatMap((id) => [id, encodeURIComponent(id)]));
  const named = one.named.filter((id) => !known.has(id));
  const leftOut = one.leftOut - (one.named.length - named.length);
  return { judged: [...judged], listed: one.listed, leftOut, named };
}

/** Removes the report of one part, which only has that part's failures. */
function withoutReport({ report: _, ...invocation }: Invocation): Invocation {
  return invocation;
}

/** Properties that all parts of a run must share. Their regions may have other addresses. */
const shared: readonly (readonly [what: string, of: (report: RunResult) => unknown])[] = [
  ['of other versions of the suite', ({ suiteVersion }) => suiteVersion],
  ['of other targets', ({ target }) => [target.name, target.regions.map(({ name }) => name)]],
  ['split into another number of parts', ({ shard }) => shard?.of],
  ['made with other seeds: give all parts the same --seed', ({ seed }) => seed],
  ['of gateways that claim other profiles', ({ target }) => target.claims],
  ['not all --strict', ({ strict }) => strict],
  ['asked for other ids', ({ filters }) => filters],
  [
    'made with other known failures',
    ({ knownFailures }) => [knownFailures?.entries, knownFailures?.until],
  ],
  ['of other catalogues', ({ catalogue }) => catalogue.sha256],
  ['judged by other texts of the specification', ({ specification }) => specification.sha256],
];

function assertFits({ file, report }: Part, first: Part): void {
  if (report.shard === undefined) {
    throw new NotParts(
      `${file} is not part of a split run: it was not made with \`run --shard i/n\`.`,
    );
  }
  for (const [what, of] of shared) {
    if (isDeepStrictEqual(of(report), of(first.report))) continue;
    throw new NotParts(`${first.file} and ${file} are not parts of one run: they are ${what}.`);
  }
}

function joined(
  id: string,
  parts: readonly Part[],
  absent: readonly number[],
  of: number,
): CheckResult {
  const own = parts.flatMap(({ file, report }) => {
    const check = report.checks.find((one) => one.id === id);
    return check === undefined ? [] : [{ file, check }];
  });
  const judged = own.filter(({ check }) => check.verdict.state !== 'excluded');
  const [one, other] = judged;
  const due = judged.filter(({ check }) => isDue(check));
  if (due.every(({ check }) => check.everywhere === true) && judged.length > 0)
    return worstOf(judged.map(({ check }) => check));
  if (one !== undefined && other !== undefined) {
    throw new NotParts(
      `${one.file} and ${other.file} both judged ${id}: they were split otherwise. ` +
        'Make all parts with the same suite, the same target file and the same ids.',
    );
  }
  if (one !== undefined) return one.check;
  const [{ check } = { check: undefined }] = own;
  if (check === undefined) throw new NotParts(`No report has ${id}.`);
  const leftOut = own.find(({ check: { verdict } }) => !isElsewhere(verdict));
  if (leftOut !== undefined) return leftOut.check;
  const undecided = (cause: Cause, reason: string): CheckResult => ({
    ...check,
    verdict: { state: 'inconclusive', cause, reason, evidence: null },
  });
  if (absent.length === 0) {
    return undecided('ambiguous', 'No part judged it: they were split for different targets');
  }
  const missing = `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} missing`;
  return undecided('missing-report', `Its part has no report: of ${of} parts, ${missing}`);
}

/** True if the check was assigned to another part. */
function isElsewhere(verdict: CheckVerdict): boolean {
  return verdict.state === 'excluded' && verdict.elsewhere === true;
}

/**
 * Joins the results of a check that each part judged on its own exchanges: the worst verdict, with the points of all.
 */
function worstOf(checks: readonly CheckResult[]): CheckResult {
  const rank = ({ verdict }: CheckResult): number => worstStates.indexOf(verdict.state);
  const worst = checks.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  const all = checks.flatMap(({ verdict }) => (isAtPoints(verdict) ? (verdict.points ?? []) : []));
  const points = {
    judged: all.reduce((sum, { judged }) => sum + judged, 0),
    broken: all.reduce((sum, { broken }) => sum + broken, 0),
  };
  return all.length === 0 || !isAtPoints(worst.verdict)
    ? worst
    : { ...worst, verdict: { ...worst.verdict, points } };
}

function keysMaskedOf(parts: readonly Part[]): Pick<RunResult, 'keysMasked'> {
  const all = [...new Set(parts.flatMap(({ report }) => report.keysMasked ?? []))];
  return all.length === 0 ? {} : { keysMasked: all };
}
