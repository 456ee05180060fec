import { type CheckResult, isUnfinished, type KnownFailures, type RunResult } from './result.ts';
import { rootCausesOf } from './root-causes.ts';
import { type Cause, type RunVerdict, runVerdict } from './verdict.ts';

/** Entry in a file of known failures: a check, or a requirement with all its values. */
export interface KnownFailure {
  readonly id: string;
  /** From 1. */
  readonly line: number;
  /** The last day on which the entry counts, in UTC, as written; absent: it does not expire. */
  readonly until?: string;
}

/**
 * Reads a file of known failures: each line has an id, and optionally `until 2027-01-31`. A `#` starts a comment.
 *
 * Validates neither ids nor days: see `unknownOf` and `isDay`.
 */
export function readKnownFailures(text: string): KnownFailure[] {
  return text.split('\n').flatMap((content, index) => {
    const entry = content.replace(/#.*/, '').trim();
    if (entry === '') return [];
    const line = index + 1;
    const [, id, until] = /^(\S+)\s+until\s+(.+)$/.exec(entry) ?? [];
    return id === undefined || until === undefined ? [{ id: entry, line }] : [{ id, line, until }];
  });
}

export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function unknownOf(
  known: readonly KnownFailure[],
  checks: readonly { readonly id: string; readonly requirement: { readonly id: string } }[],
): KnownFailure[] {
  const ids = new Set(checks.flatMap(({ id, requirement }) => [id, requirement.id]));
  return known.filter(({ id }) => !ids.has(id));
}

/**
 * Returns the result with known failures, and checks that are undecided because of them, removed from its verdict.
 * Their own verdicts stay.
 *
 * An entry without any failing check is stale, and makes the run nonconformant, because the list would hide the
 * next failure. An entry is not stale if one of its checks was undecided or left out. An expired entry makes the
 * run nonconformant as well.
 *
 * @param file path of the list, for reports
 * @param needed entries that are needed elsewhere, for example by another target with the same list, and so are not
 *   stale
 */
export function excuse(
  result: RunResult,
  file: string,
  known: readonly KnownFailure[],
  needed: ReadonlySet<string> = new Set(),
): RunResult {
  const entries = [...new Set(known.map(({ id }) => id))];
  const until = lastDays(known);
  const day = result.startedAt.slice(0, 10);
  const isStale = (entry: string): boolean => {
    const own = result.checks.filter((check) => isEntryOf(entry, check));
    const isFixed = own.length > 0 && own.every(({ verdict }) => fixed.has(verdict.state));
    return isFixed && !needed.has(entry);
  };
  const stale = entries.filter(isStale);
  const isOver = (entry: string): boolean => (until[entry] ?? day) < day;
  const expired = entries.filter((entry) => isOver(entry) && !stale.includes(entry));
  const counting = entries.filter((entry) => !isOver(entry));
  const listed = result.checks.filter((check) => counting.some((entry) => isEntryOf(entry, check)));
  const { failed, waiting } = knownIn(result, new Set(listed.map(({ id }) => id)));
  const excused = listed
    .filter((check) => failsRun(check, result.strict) || failed.has(check.id))
    .map(({ id }) => id);
  const covered = result.checks.filter(({ id }) => waiting.has(id)).map(({ id }) => id);
  const knownFailures: KnownFailures = {
    file,
    entries,
    ...(Object.keys(until).length === 0 ? {} : { until }),
    excused,
    ...(covered.length === 0 ? {} : { covered }),
    ...(expired.length === 0 ? {} : { expired }),
    stale,
  };
  const forgiven = new Set([...excused, ...covered]);
  const verdict = runVerdict(
    result.checks.map((check) => ({ ...check, isKnown: forgiven.has(check.id) })),
    { strict: result.strict, unfinished: isUnfinished(result) },
  );
  const isOutdated = stale.length > 0 || expired.length > 0;
  return { ...result, verdict: isOutdated ? 'nonconformant' : verdict, knownFailures };
}

export function entriesOf({ entries, until = {} }: KnownFailures): readonly KnownFailure[] {
  return entries.map((id, index) => {
    const day = until[id];
    return { id, line: index + 1, ...(day === undefined ? {} : { until: day }) };
  });
}

/** Returns the last day of each entry; of several lines for one id, the latest. */
function lastDays(known: readonly KnownFailure[]): Readonly<Record<string, string>> {
  const days = new Map<string, string | null>();
  for (const { id, until = null } of known) {
    const other = days.get(id);
    const isLater = other === undefined || until === null || (other !== null && until > other);
    if (isLater) days.set(id, until);
  }
  return Object.fromEntries([...days].flatMap(([id, day]) => (day === null ? [] : [[id, day]])));
}

/**
 * Returns the listed checks and the waiting checks of the root causes that leave something undecided and whose
 * failures are all listed. Listed warnings are included. If one of the failures of a cause is not listed, the run
 * fails for it anyway. A check that waits for others by name waits for a listed one among them.
 */
function knownIn(result: RunResult, listed: ReadonlySet<string>) {
  const causes = rootCausesOf(result).filter(
    ({ failed, waiting }) =>
      waiting.length > 0 &&
      failed.some(({ id }) => listed.has(id)) &&
      failed.every((check) => listed.has(check.id) || !failsRun(check, result.strict)),
  );
  const idsOf = (checks: readonly CheckResult[]): string[] => checks.map(({ id }) => id);
  const failed = new Set(causes.flatMap((cause) => idsOf(cause.failed)));
  const isListed = (id: string): boolean => failed.has(id) && listed.has(id);
  const waiting = causes.flatMap((cause) =>
    cause.waiting.filter(({ verdict: { behind } }) => behind?.some(isListed) !== false),
  );
  return { failed, waiting: new Set(idsOf(waiting)) };
}

/** True if a check makes its run nonconformant, unless its failure is listed as known. */
export function failsRun({ verdict }: CheckResult, strict: boolean): boolean {
  return verdict.state === 'fail' || (strict && verdict.state === 'warn');
}

/** A warning is not fixed, though it fails strict runs only: one list serves both. */
const fixed = new Set(['pass', 'note', 'not-applicable']);

/** True if a check is inconclusive for a cause that the user allowed. */
export function isAllowed(
  { verdict }: CheckResult,
  { allowedInconclusive = [] }: Pick<RunResult, 'allowedInconclusive'>,
): boolean {
  return verdict.state === 'inconclusive' && allowedInconclusive.includes(verdict.cause);
}

/** Returns the result with causes that do not fail the command. Its verdict stays. */
export function allowing(result: RunResult, causes: readonly Cause[]): RunResult {
  return causes.length === 0 ? result : { ...result, allowedInconclusive: causes };
}

/** Returns the verdict that determines the exit code: without checks that may be inconclusive. */
export function verdictThatCounts(result: RunResult): RunVerdict {
  const { verdict, checks, strict, knownFailures, allowedInconclusive = [] } = result;
  if (verdict !== 'indeterminate' || allowedInconclusive.length === 0) return verdict;
  const known = new Set([...(knownFailures?.excused ?? []), ...(knownFailures?.covered ?? [])]);
  return runVerdict(
    checks
      .filter((check) => !isAllowed(check, result))
      .map((check) => ({ ...check, isKnown: known.has(check.id) })),
    { strict, unfinished: isUnfinished(result) },
  );
}

/** Effect of a list of known failures on one check, as reports show it. */
export type Listed = 'excused' | 'covered' | 'stale';

/** Returns the checks that the list of a run excuses, covers, or names as stale, by id. */
export function listedIn({ checks, knownFailures }: RunResult): ReadonlyMap<string, Listed> {
  const { excused = [], covered = [], stale = [] } = knownFailures ?? {};
  const stalePassed = checks.filter((check) => stale.some((entry) => isEntryOf(entry, check)));
  return new Map([
    ...stalePassed.map(({ id }) => [id, 'stale'] as const),
    ...covered.map((id) => [id, 'covered'] as const),
    ...excused.map((id) => [id, 'excused'] as const),
  ]);
}

function isEntryOf(entry: string, { id, requirement }: CheckResult): boolean {
  return entry === id || entry === requirement;
}
