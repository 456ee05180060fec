import { operationRows } from './operation-rows.ts';
import type { CheckResult, RunResult } from './result.ts';
import type { CheckVerdict, Evidence } from './verdict.ts';

type WithVerdict<Verdict> = CheckResult & { readonly verdict: Verdict };

/** A failed check of a MUST or a SHOULD. */
export type Broken = WithVerdict<Extract<CheckVerdict, { readonly state: 'fail' | 'warn' }>>;
type Inconclusive = WithVerdict<Extract<CheckVerdict, { readonly state: 'inconclusive' }>>;

export interface RootCause {
  /**
   * - `no-key-checked`: requests are served with any key
   * - `operation`: the operation is never served
   * - `difference`: a rule that does not hold, or one wrong answer
   */
  readonly kind: 'no-key-checked' | 'operation' | 'difference';
  /** The check to investigate first: a MUST, if there is one. */
  readonly root: Broken;
  /** Checks that fail or warn because of the defect: the root first, then in catalogue order. */
  readonly failed: readonly Broken[];
  /** Checks that could not be judged because of the defect. */
  readonly waiting: readonly Inconclusive[];
}

/**
 * Groups the failed checks of a run by suspected cause. Checks share a cause if
 *
 * - one answer, or one kind of answer to an operation, is wrong as a whole, whichever rule reports it,
 * - one rule is broken in one way, across endpoints or other values,
 * - no key is checked anywhere, so that every request is served.
 *
 * Checks that are inconclusive because of such an answer are part of the group. The groups depend on the result
 * alone. Causes that explain most come first, and MUSTs before SHOULDs.
 */
export function rootCausesOf({ checks }: Pick<RunResult, 'checks'>): readonly RootCause[] {
  const broken = checks.filter((check): check is Broken => {
    const { state } = check.verdict;
    return state === 'fail' || state === 'warn';
  });
  const answers = new Set(broken.filter(isUnserved).map(({ verdict }) => answerOf(verdict)));
  const withoutKeys = isKeyless(checks);
  const groups = grouped(broken, (check) => keysOf(check, answers, withoutKeys));
  const waiting = waitingFor(groups, checks);
  const order = new Map(checks.map(({ id }, index) => [id, index]));
  return groups
    .map((failed): RootCause => {
      const [root, ...others] = [failed.toSorted(rootFirst)[0], ...failed].filter(isThere);
      if (root === undefined) throw new Error('A cause has a check that fails');
      return {
        kind: kindOf(failed, root, withoutKeys),
        root,
        failed: [root, ...others.filter(({ id }) => id !== root.id)],
        waiting: waiting.get(failed) ?? [],
      };
    })
    .sort(
      (one, other) =>
        weight(other) - weight(one) ||
        sizeOf(other) - sizeOf(one) ||
        (order.get(one.root.id) ?? 0) - (order.get(other.root.id) ?? 0),
    );
}

function sizeOf({ failed, waiting }: RootCause): number {
  return failed.length + waiting.length;
}

/** Returns the weight for sorting: MUSTs first, and then defects that other checks depend on. */
function weight({ failed, kind }: RootCause): number {
  const isMust = failed.some(({ verdict }) => verdict.state === 'fail');
  return (isMust ? 2 : 0) + (kind === 'difference' ? 0 : 1);
}

/** Requirements that can only hold if keys are checked. */
const keyRules = ['access/credentials.', 'access/owners.', 'access/permissions.'];

/** True if every judged check that sends no key was served, and there are several. */
function isKeyless(checks: readonly CheckResult[]): boolean {
  const judged = checks.filter(
    ({ requirement, verdict }) =>
      requirement === 'access/credentials.key-required' &&
      (verdict.state === 'pass' || verdict.state === 'fail'),
  );
  return judged.length > 1 && judged.every((check) => isBroken(check) && isLetIn(check));
}

function isBroken(check: CheckResult): check is Broken {
  return check.verdict.state === 'fail' || check.verdict.state === 'warn';
}

/** True if a request that should have been refused was served. */
function isLetIn({ verdict: { difference, evidence } }: Broken): boolean {
  return difference?.kind === 'unrefused' && evidence !== null && isGood(evidence);
}

/** True for 1xx and 2xx: 101 opens a WebSocket. */
function isGood({ answer }: Evidence): boolean {
  const status = answer?.status ?? 0;
  return status >= 100 && status < 300;
}

/** Returns the grouping keys of a check. Checks with a common key have a common cause. */
function keysOf(
  check: Broken,
  answers: ReadonlySet<string>,
  withoutKeys: boolean,
): readonly string[] {
  const { requirement, verdict } = check;
  const { expected, difference, evidence } = verdict;
  const answer = answerOf(verdict);
  // A wrong answer that ordinary requests get, too: it serves nothing.
  const isNoAnswer = answers.has(answer) && !isUnserved(check);
  if (isLetIn(check) && !isNoAnswer) {
    const isByKey = withoutKeys && keyRules.some((start) => requirement.startsWith(start));
    return [isByKey ? 'no key' : `served ${requirement}`, ...strangers(evidence)];
  }
  // A requirement on several operations may be broken in the same way for each.
  const rule = `${requirement} ${kindOfAnswer(evidence)}`;
  // Any other defect of such an answer follows from it.
  if (isNoAnswer) return [answer];
  if (isUnanswered(check)) {
    return [answer, rule];
  }
  const part = partOf(verdict);
  return [`${difference?.value ?? expected} ${part}`, `${requirement} ${part}`];
}

/** Keys of the user who made the requested response. */
const ownKeys: readonly string[] = ['owner', 'sameUser'];

/** Returns a grouping key for a stranger that an operation let in, for any rule that reports it. */
function strangers(evidence: Evidence | null): readonly string[] {
  const { operation, key } = evidence ?? {};
  const isStranger = operation !== undefined && key !== undefined && !ownKeys.includes(key);
  return isStranger ? [`${operation} let in ${key}`] : [];
}

/** True if a request that should have been served natively was not. */
function isUnserved({ verdict: { difference, evidence } }: Broken): boolean {
  return difference?.kind === 'unserved' && evidence !== null;
}

/** True if a request was answered neither correctly nor as if it were good, for example with 500. */
function isUnanswered(check: Broken): boolean {
  const { difference, evidence } = check.verdict;
  const isLost = difference?.kind === 'unrefused' && evidence !== null && !isLetIn(check);
  return isLost || isUnserved(check);
}

/** Returns the operation and the kind of its answer. A served answer has its exchange as the key. */
function answerOf({ evidence }: Pick<Broken['verdict'], 'evidence'>): string {
  if (evidence === null) return 'no exchange';
  const { exchange, served = false, operation = evidence.request } = evidence;
  return served ? exchange : `${operation} ${kindOfAnswer(evidence)}`;
}

function kindOfAnswer(evidence: Evidence | null): string {
  const { status = null, kind = '' } = evidence?.answer ?? {};
  return `${status} ${kind}`;
}

/** Returns the wrong part of an answer: its places, whatever their index, or else the kind of the answer. */
function partOf({ places = [], evidence }: Broken['verdict']): string {
  const parts = new Set(places.map((place) => place.replaceAll(/\[\d+\]/g, '[]')));
  return parts.size === 0 ? kindOfAnswer(evidence) : [...parts].sort().join(' ');
}

/** Groups the checks that have a key in common, directly or by way of other checks. */
function grouped(
  checks: readonly Broken[],
  keysOf: (check: Broken) => readonly string[],
): (readonly Broken[])[] {
  const groupOf = new Map<string, Broken[]>();
  for (const check of checks) {
    const keys = keysOf(check);
    const own = new Set(keys.map((key) => groupOf.get(key)).filter(isThere));
    const group = [...[...own].flat(), check];
    for (const [key, other] of groupOf) if (own.has(other)) groupOf.set(key, group);
    for (const key of keys) groupOf.set(key, group);
  }
  return [...new Set(groupOf.values())].map((group) =>
    checks.filter((check) => group.includes(check)),
  );
}

/** Returns the undecided checks, by the group whose answer they build on. */
function waitingFor(
  groups: readonly (readonly Broken[])[],
  checks: readonly CheckResult[],
): ReadonlyMap<readonly Broken[], readonly Inconclusive[]> {
  const groupOf = new Map<string, readonly Broken[]>();
  const groupWith = new Map<string, readonly Broken[]>();
  for (const group of groups) {
    for (const check of group) {
      groupWith.set(check.id, group);
      const { evidence } = check.verdict;
      if (isUnanswered(check) && evidence !== null) {
        groupOf.set(answerOf(check.verdict), group);
      }
    }
  }
  const waiting = new Map<readonly Broken[], Inconclusive[]>();
  for (const check of checks) {
    if (!isInconclusive(check) || check.verdict.evidence === null) continue;
    const behind = check.verdict.behind?.map((id) => groupWith.get(id)).find(isThere);
    const group = groupOf.get(answerOf(check.verdict)) ?? behind;
    if (group !== undefined) waiting.set(group, [...(waiting.get(group) ?? []), check]);
  }
  return waiting;
}

function isInconclusive(check: CheckResult): check is Inconclusive {
  return check.verdict.state === 'inconclusive';
}

const rows = [...new Set(operationRows.values())];

/** Orders MUSTs before SHOULDs, because readers look first for what fails the run. */
function rootFirst(one: Broken, other: Broken): number {
  const isMust = ({ verdict }: Broken): number => (verdict.state === 'fail' ? 1 : 0);
  return isMust(other) - isMust(one) || rank(one) - rank(other);
}

/** Returns the rank within a group: unserved operations, other wrong answers, wrong parts. */
function rank(check: Broken): number {
  const row = isUnserved(check) ? rows.indexOf(check.id) : -1;
  if (row >= 0) return row;
  const kinds = ['unserved', 'unrefused', 'part'];
  return rows.length + kinds.indexOf(check.verdict.difference?.kind ?? 'part');
}

function kindOf(failed: readonly Broken[], root: Broken, withoutKeys: boolean): RootCause['kind'] {
  if (isUnserved(root) && rows.includes(root.id)) return 'operation';
  const isByKey = failed.some(
    (check) => check.requirement === 'access/credentials.key-required' && isLetIn(check),
  );
  return withoutKeys && isByKey ? 'no-key-checked' : 'difference';
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
