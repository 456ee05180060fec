import {
  binds,
  type CheckResult,
  type CheckState,
  type CheckVerdict,
  countsOf,
  failsRun,
  isOutside,
  type Listed,
  listedIn,
  type RootCause,
  type RunResult,
  restrictionOf,
  rootCausesOf,
} from '../core/index.ts';
import { causeWords } from './words.ts';

/** A result with a verdict of one of these states. */
export type ResultOf<State extends CheckState> = CheckResult & {
  readonly verdict: Extract<CheckVerdict, { readonly state: State }>;
};

type Counts = RunResult['counts'];

/** Facts of a run for all reports, computed once. */
export interface RunSummary {
  readonly result: RunResult;
  /** Checks by state, in the order of the catalogue. */
  readonly by: { readonly [State in CheckState]: readonly ResultOf<State>[] };
  /**
   * Failures of the run without known ones: broken MUSTs, and broken SHOULDs if it is strict. Ordered by cause, the
   * cause that explains most first.
   */
  readonly broken: readonly ResultOf<'fail' | 'warn'>[];
  /** Failures and warnings by their likely cause. */
  readonly causes: readonly RootCause[];
  /**
   * `causes`, split into those that fail the run, known ones, and those that only warn. A cause may have parts in
   * two of them.
   */
  readonly byCause: {
    readonly failing: readonly RootCause[];
    readonly known: readonly RootCause[];
    readonly warnings: readonly RootCause[];
  };
  /** Inconclusive checks that do not depend on a failure, known or not. */
  readonly open: readonly ResultOf<'inconclusive'>[];
  /** `open`, grouped by cause. */
  readonly openGroups: readonly Group[];
  /** Known failures. */
  readonly excused: readonly ResultOf<'fail' | 'warn'>[];
  /** Checks that could not be judged only because of known failures. */
  readonly covered: readonly ResultOf<'inconclusive'>[];
  /** Broken SHOULDs that do not fail the run. */
  readonly warnings: readonly ResultOf<'warn'>[];
  /** Status of checks on the list of known failures, by id. */
  readonly listed: ReadonlyMap<string, Listed>;
  /**
   * The checks that the verdict depends on: the MUSTs, and the SHOULDs of a strict run. The counts omit checks that
   * wait for a known failure, that are not claimed, or that a restriction leaves open.
   */
  readonly binding: { readonly count: number; readonly counts: Counts };
  /** Suites in the order of the catalogue. */
  readonly suites: readonly {
    readonly name: string;
    readonly checks: readonly CheckResult[];
    readonly counts: Counts;
  }[];
  /**
   * Untestable checks, grouped by the missing part of the target file. All undeclared capabilities of models form
   * one group.
   */
  readonly gaps: readonly Group[];
  /** Checks that cannot be shown according to the target file, by reason. */
  readonly leftOpen: readonly Group[];
  /** Checks with a reason, by their common property, without those that wait for a known failure or are left open. */
  readonly groups: { readonly [State in ReasonedState]: readonly Group[] };
}

const summaries = new WeakMap<RunResult, RunSummary>();

export function summaryOf(result: RunResult): RunSummary {
  const known = summaries.get(result) ?? summarize(result);
  summaries.set(result, known);
  return known;
}

function summarize(result: RunResult): RunSummary {
  const { checks, strict } = result;
  const only = <State extends CheckState>(state: State): readonly ResultOf<State>[] =>
    checks.filter((check): check is ResultOf<State> => check.verdict.state === state);
  const by: RunSummary['by'] = {
    pass: only('pass'),
    fail: only('fail'),
    warn: only('warn'),
    note: only('note'),
    'not-applicable': only('not-applicable'),
    untestable: only('untestable'),
    inconclusive: only('inconclusive'),
    excluded: only('excluded'),
    error: only('error'),
  };
  const known = new Set(result.knownFailures?.excused);
  const behind = new Set(result.knownFailures?.covered);
  const covered = by.inconclusive.filter(({ id }) => behind.has(id));
  const failed = [...by.fail, ...by.warn];
  const causes = rootCausesOf(result);
  const inOrder = causes.flatMap((cause) => cause.failed);
  const byCause = dividedBy(causes, strict, known);
  const waiting = new Set(byCause.failing.flatMap((cause) => cause.waiting.map(({ id }) => id)));
  const notCovered = by.inconclusive.filter(({ id }) => !behind.has(id));
  const open = notCovered.filter(({ id }) => !waiting.has(id));
  const binding = checks.filter(({ level }) => binds(level, strict));
  const isLeftOpen = ({ verdict }: CheckResult): boolean => restrictionOf(verdict) !== null;
  const untestable = by.untestable.filter((check) => !isLeftOpen(check));
  const notApplicable = by['not-applicable'].filter((check) => !isLeftOpen(check));
  return {
    result,
    by,
    broken: inOrder.filter((check) => failsRun(check, strict) && !known.has(check.id)),
    causes,
    byCause,
    open,
    openGroups: grouped(open),
    excused: failed.filter(({ id }) => known.has(id)),
    warnings: strict ? [] : by.warn.filter(({ id }) => !known.has(id)),
    listed: listedIn(result),
    covered,
    binding: {
      count: binding.length,
      counts: countsOf(binding.filter(({ id, verdict }) => !behind.has(id) && !isOutside(verdict))),
    },
    suites: [...keyed(checks, ({ suite }) => suite)].map(([name, own]) => ({
      name,
      checks: own,
      counts: countsOf(own),
    })),
    gaps: gapsOf(grouped(untestable), untestable),
    leftOpen: grouped([...by.untestable, ...by['not-applicable']].filter(isLeftOpen)),
    groups: {
      inconclusive: grouped(notCovered),
      error: grouped(by.error),
      untestable: grouped(untestable),
      'not-applicable': grouped(notApplicable),
      excluded: grouped(by.excluded),
    },
  };
}

/** Assigns each cause to the part in which its failures count most. */
function dividedBy(
  causes: readonly RootCause[],
  strict: boolean,
  known: ReadonlySet<string>,
): RunSummary['byCause'] {
  const counts = (check: CheckResult): boolean => failsRun(check, strict) && !known.has(check.id);
  const isFailing = ({ failed }: RootCause): boolean => failed.some(counts);
  const part = (of: readonly RootCause[], isKnown: boolean): readonly RootCause[] =>
    of.flatMap((cause) => {
      const failed = cause.failed.filter(({ id }) => known.has(id) === isKnown);
      const [root] = failed;
      // Checks that wait for the whole cause are listed where it fails the run.
      const waiting = isKnown && isFailing(cause) ? [] : cause.waiting;
      return root === undefined ? [] : [{ ...cause, root, failed, waiting }];
    });
  return {
    failing: part(causes.filter(isFailing), false),
    known: part(causes, true),
    warnings: part(
      causes.filter((cause) => !isFailing(cause)),
      false,
    ),
  };
}

/** True if the suite was selected, at least in part. Other suites are not reported. */
export function isAskedFor({ checks, counts }: RunSummary['suites'][number]): boolean {
  return counts.excluded < checks.length;
}

/** Results that one change may fix, by their reasons. */
export interface Group {
  /** Common property in words, or null if the reason contains it. */
  readonly title: string | null;
  readonly reasons: readonly { readonly reason: string; readonly checks: readonly CheckResult[] }[];
  readonly count: number;
}

type Reasoned = Extract<CheckVerdict, { readonly reason: string }>;

/** The states that have a reason. */
type ReasonedState = Reasoned['state'];

export function isReasoned(state: CheckState): state is ReasonedState {
  return state !== 'pass' && state !== 'fail' && state !== 'warn' && state !== 'note';
}

/**
 * Groups results, the largest group first: inconclusive ones by cause, untestable ones by the missing part of the
 * target file, others by reason.
 */
function grouped(results: readonly ResultOf<ReasonedState>[]): Group[] {
  return [...keyed(results, ({ verdict }) => groupKey(verdict)).values()]
    .map((own): Group => {
      const [first] = own;
      const title =
        first?.verdict.state === 'inconclusive' ? causeWords[first.verdict.cause] : null;
      const reasons = [...keyed(own, ({ verdict }) => verdict.reason)]
        .map(([reason, checks]) => ({ reason, checks }))
        .sort((one, other) => other.checks.length - one.checks.length);
      return { title, reasons, count: own.length };
    })
    .sort((one, other) => other.count - one.count);
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

/** Joins the gaps that only need a declaration into one group. The capability that most checks need comes first. */
function gapsOf(groups: readonly Group[], results: readonly ResultOf<'untestable'>[]): Group[] {
  const gapOf = new Map(results.map(({ id, verdict }) => [id, verdict.gap]));
  const gapIn = ({ reasons }: Group) => gapOf.get(reasons[0]?.checks[0]?.id ?? '');
  const open = groups.filter((group) => gapIn(group)?.kind === 'capability');
  if (open.length < 2) return [...groups];
  const counts = new Map<string, number>();
  for (const group of open) {
    for (const name of gapIn(group)?.names ?? []) {
      counts.set(name, (counts.get(name) ?? 0) + group.count);
    }
  }
  const most = [...counts].sort(([, one], [, other]) => other - one);
  const names = most.map(([name, count]) => `${name} (${count})`).join(', ');
  const declared: Group = {
    title: null,
    reasons: [
      {
        reason: `declare under \`supports\` or \`lacks\` of the models: ${names}`,
        checks: open.flatMap(({ reasons }) => reasons.flatMap(({ checks }) => checks)),
      },
    ],
    count: open.reduce((sum, { count }) => sum + count, 0),
  };
  const others = groups.filter((group) => !open.includes(group));
  return [declared, ...others].sort((one, other) => other.count - one.count);
}

/** Groups items by a key, in the order in which the keys appear. */
export function keyed<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item));
    if (own === undefined) groups.set(keyOf(item), [item]);
    else own.push(item);
  }
  return groups;
}
