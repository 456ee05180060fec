import {
  type CheckResult,
  type CheckVerdict,
  countsOf,
  isUnfinished,
  joinedProvenance,
  longestLags,
  type Round,
  type RunResult,
  runVerdict,
  type Tries,
  worstStates,
} from '../../kernel/core/index.ts';
import { counted, triesInWords } from '../../kernel/report/index.ts';
import { joinedTimes, joinedTraffic } from './joined-traffic.ts';

/** The result of several rounds, accumulated round by round. No round is kept. */
export class Rounds {
  readonly #times: number;
  readonly #rounds: Round[] = [];
  #all: RunResult | null = null;

  /** @param times number of requested rounds */
  constructor(times: number) {
    this.#times = times;
  }

  /** @returns the checks for which this round has the worst verdict so far, and is the first with it */
  add(round: RunResult): readonly CheckResult[] {
    const { seed, runId, verdict } = round;
    const cut = wasCut(round) ? { cut: true as const } : {};
    this.#rounds.push({ seed, runId, verdict, ...cut });
    const number = this.#rounds.length;
    const before = new Map(this.#all?.checks.map((check) => [check.id, check]));
    const taken: CheckResult[] = [];
    const checks = round.checks.map((check) => {
      const known = before.get(check.id);
      const isTaken = known === undefined || rank(check.verdict) < rank(known.verdict);
      if (isTaken) taken.push(check);
      return joinedCheck(known, check, isTaken, number);
    });
    this.#all = { ...this.#joinedCheck(round), checks };
    return taken;
  }

  get result(): RunResult {
    if (this.#all === null) throw new Error('A run was to be judged in no round.');
    const { checks, strict } = this.#all;
    const repeated = { times: this.#times, rounds: [...this.#rounds] };
    const unfinished = isUnfinished({ repeated });
    return {
      ...this.#all,
      repeated,
      verdict: runVerdict(checks, { strict, unfinished }),
      counts: countsOf(checks),
    };
  }

  /** Joins facts that are reported once for all rounds. Seed and id are those of the first. */
  #joinedCheck(round: RunResult): RunResult {
    const all = this.#all;
    if (all === null) return round;
    const seen = [all, round].flatMap(({ provenance }) => provenance ?? []);
    const masked = new Set([...(all.keysMasked ?? []), ...(round.keysMasked ?? [])]);
    return {
      ...all,
      ...joinedTimes([all, round]),
      traffic: joinedTraffic([all, round]),
      interrupted: all.interrupted || round.interrupted,
      ...(seen.length === 0 ? {} : { provenance: joinedProvenance(seen) }),
      ...(masked.size === 0 ? {} : { keysMasked: [...masked] }),
    };
  }
}

function rank({ state }: CheckVerdict): number {
  return worstStates.indexOf(state);
}

/** True if a round ended before it had sent everything. */
function wasCut({ interrupted, checks }: RunResult): boolean {
  const isOutOfTime = ({ verdict }: CheckResult): boolean =>
    verdict.state === 'inconclusive' && verdict.cause === 'out-of-time';
  return interrupted || checks.some(isOutOfTime);
}

function joinedCheck(
  known: CheckResult | undefined,
  check: CheckResult,
  isTaken: boolean,
  round: number,
): CheckResult {
  const tries = triesWith(known?.tries, check, round);
  const lags = longestLags([...(known?.lags ?? []), ...(check.lags ?? [])]);
  const took = [known, check].flatMap((one) => one?.durationMs ?? []);
  const { verdict } = isTaken ? check : (known ?? check);
  return {
    ...check,
    verdict,
    ...(took.length === 0 ? {} : { durationMs: took.reduce((sum, ms) => sum + ms, 0) }),
    ...(lags.length === 0 ? {} : { lags }),
    ...(tries === null ? {} : { tries }),
  };
}

/**
 * Counts the verdict of a round. Returns null if there was nothing to judge, and for a MAY, which only reports
 * observations.
 */
function triesWith(
  known: Tries | undefined,
  { level, verdict }: CheckResult,
  round: number,
): Tries | null {
  const { held, broken, undecided, brokenIn = [] } = known ?? none;
  if (level === 'MAY') return null;
  switch (verdict.state) {
    case 'pass':
    case 'note':
      return { ...(known ?? none), held: held + 1 };
    case 'fail':
    case 'warn':
      return { held, undecided, broken: broken + 1, brokenIn: [...brokenIn, round] };
    case 'inconclusive':
    case 'error':
      return { ...(known ?? none), undecided: undecided + 1 };
    case 'not-applicable':
    case 'untestable':
    case 'excluded':
      return known ?? null;
  }
}

const none: Tries = { held: 0, broken: 0, undecided: 0 };

/**
 * Summarises a repeated run in which checks passed, by those that passed in the fewest rounds. Null if it was not
 * repeated.
 */
export function repeatedInWords({
  repeated,
  checks,
}: Pick<RunResult, 'repeated' | 'checks'>): string | null {
  if (repeated === undefined) return null;
  const tried = checks.flatMap((check) => (check.tries === undefined ? [] : [check.tries]));
  const held = tried.filter((tries) => tries.held > 0 && tries.broken === 0);
  const open = held.filter(({ undecided }) => undecided > 0).length;
  const atTimes = tried.filter((tries) => tries.held > 0 && tries.broken > 0).length;
  const [weakest] = held.toSorted((one, other) => one.held - other.held);
  const { times, rounds } = repeated;
  const begun = rounds.length === times ? '' : `${rounds.length} of `;
  return [
    `${begun}${counted(times, 'round')}`,
    ...(atTimes === 0 ? [] : [`${counted(atTimes, 'check')} broken at times only`]),
    ...(weakest === undefined
      ? []
      : [
          `${counted(held.length, 'check')} never broken, the least sure ${triesInWords({ tries: weakest })}`,
        ]),
    ...(open === 0 ? [] : [`${open} of these not decided each time`]),
  ].join('; ');
}
