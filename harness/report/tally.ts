import { type CheckResult, countsOf, type RunResult } from '../core/result.ts';
import { type CheckState, type CheckVerdict, checkStates } from '../core/verdict.ts';

/** A result whose verdict is of one of these states. */
export type ResultOf<State extends CheckState> = CheckResult & {
  readonly verdict: Extract<CheckVerdict, { readonly state: State }>;
};

/** The checks of a run that came to a state, in the order of the catalogue. */
export function resultsOf<State extends CheckState>(
  { checks }: RunResult,
  state: State,
): ResultOf<State>[] {
  return checks.filter((check): check is ResultOf<State> => check.verdict.state === state);
}

/** What failed the run: broken MUSTs, then broken SHOULDs if it is strict, without what is known to. */
export function brokenIn(result: RunResult): ResultOf<'fail' | 'warn'>[] {
  const known = new Set(result.knownFailures?.excused);
  const broken = result.strict
    ? [...resultsOf(result, 'fail'), ...resultsOf(result, 'warn')]
    : resultsOf(result, 'fail');
  return broken.filter(({ id }) => !known.has(id));
}

/** What failed, and is known to. */
export function excusedIn(result: RunResult): ResultOf<'fail' | 'warn'>[] {
  const known = new Set(result.knownFailures?.excused);
  return [...resultsOf(result, 'fail'), ...resultsOf(result, 'warn')].filter(({ id }) =>
    known.has(id),
  );
}

export interface SuiteTally {
  readonly suite: string;
  readonly counts: Readonly<Record<CheckState, number>>;
}

/** How many checks of each suite came to each state; suites in the order of the catalogue. */
export function tallySuites({ checks }: RunResult): SuiteTally[] {
  const suites = new Map<string, CheckResult[]>();
  for (const check of checks) {
    suites.set(check.suite, [...(suites.get(check.suite) ?? []), check]);
  }
  return [...suites].map(([suite, own]) => ({ suite, counts: countsOf(own) }));
}

export interface Group {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Results with the same reason, the most frequent reason first. */
export function byReason(
  results: readonly { readonly id: string; readonly verdict: { readonly reason: string } }[],
): Group[] {
  const groups = new Map<string, string[]>();
  for (const { id, verdict } of results) {
    const ids = groups.get(verdict.reason) ?? [];
    ids.push(id);
    groups.set(verdict.reason, ids);
  }
  return [...groups]
    .map(([reason, ids]) => ({ reason, ids }))
    .sort((a, b) => b.ids.length - a.ids.length);
}

/** How states are called when they are counted. */
export const stateWords: Readonly<Record<CheckState, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  note: 'noted',
  'not-applicable': 'not applicable',
  untestable: 'untestable',
  inconclusive: 'inconclusive',
  excluded: 'excluded',
  error: 'in error',
};

/** `12 passed, 1 failed`: what is not zero, in the order of the states. */
export function countsInWords(counts: Readonly<Record<CheckState, number>>): string[] {
  return checkStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${stateWords[state]}`);
}

/** `1 request`, `2 requests`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
