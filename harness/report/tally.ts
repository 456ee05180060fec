import { type CheckResult, countsOf, type RunResult } from '../core/result.ts';
import { type Cause, type CheckState, type CheckVerdict, checkStates } from '../core/verdict.ts';

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

/** Results that have something in common that one change would mend, by the reasons that they give. */
export interface Group {
  /** What they have in common, in words; null where their reason says it. */
  readonly title: string | null;
  readonly reasons: readonly { readonly reason: string; readonly ids: readonly string[] }[];
  /** How many results it has. */
  readonly count: number;
}

type Reasoned = Extract<CheckVerdict, { readonly reason: string }>;

/**
 * Results in groups, the largest first: what is inconclusive by its cause, what is untestable by what
 * the target file lacks, anything else by its reason.
 */
export function grouped(
  results: readonly { readonly id: string; readonly verdict: Reasoned }[],
): Group[] {
  return [...by(results, ({ verdict }) => groupKey(verdict)).values()]
    .map((own): Group => {
      const [first] = own;
      const title =
        first?.verdict.state === 'inconclusive' ? causeWords[first.verdict.cause] : null;
      const reasons = [...by(own, ({ verdict }) => verdict.reason)].map(([reason, same]) => ({
        reason,
        ids: same.map(({ id }) => id),
      }));
      const largestFirst = reasons.toSorted((one, other) => other.ids.length - one.ids.length);
      return { title, reasons: largestFirst, count: own.length };
    })
    .toSorted((one, other) => other.count - one.count);
}

function groupKey(verdict: Reasoned): string {
  switch (verdict.state) {
    case 'inconclusive':
      return verdict.cause;
    case 'untestable':
      return [verdict.gap.kind, ...verdict.gap.names].join(' ');
    default:
      return verdict.reason;
  }
}

function by<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item));
    if (own === undefined) groups.set(keyOf(item), [item]);
    else own.push(item);
  }
  return groups;
}

/** What causes are called above what they left undecided. */
export const causeWords: Readonly<Record<Cause, string>> = {
  'rate-limit': 'Rate limit',
  overload: 'Overload',
  timeout: 'Time-out',
  unreachable: 'Not reachable',
  'no-credit': 'No credit',
  'locked-out': 'Locked out after wrong keys',
  prerequisite: 'A prerequisite is missing',
  control: 'The control was not served',
  ambiguous: 'Ambiguous answer',
  'local-resources': 'This machine ran out of resources',
  interrupted: 'The run was interrupted',
  'missing-report': 'The report of a part is missing',
};

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

/** The first of the ids, and how many there are besides: `a/b.c, a/b.d and 7 more`. */
export function firstOf(ids: readonly string[], shown: number): string {
  const rest = ids.length > shown ? ` and ${ids.length - shown} more` : '';
  return ids.slice(0, shown).join(', ') + rest;
}
