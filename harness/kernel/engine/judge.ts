import type {
  Cause,
  CheckDefinition,
  CheckVerdict,
  Evidence,
  Exchange,
  Finding,
} from '../core/index.ts';
import { ExpectationFailed, Inconclusive, JudgedPoints, NothingToJudge } from '../judge/index.ts';
import type { Missing, Target } from '../targets/index.ts';
import { underClaims } from './claims.ts';
import { evidenceOf } from './evidence.ts';
import type { Outcome } from './outcome.ts';

export interface JudgeContext {
  /** Target as the region of the check has it: a further region comes first in its list. */
  readonly target: Target;
  /** The further region where the check is judged; null: the first. */
  readonly region: string | null;
  /** True if the target file or the lists of the region show the models. */
  readonly hasModels: boolean;
  /** Adds an observation to a MAY: the check passes with a note. */
  note(seen: string, exchange?: Exchange): void;
}

/**
 * Judges one requirement on the capture of a scenario: returns if it holds, and throws if not. Pure and
 * synchronous. `ExpectationFailed` and `Inconclusive` are verdicts; any other error is an internal one. A judgement
 * at many points returns the result of `judgeEach`.
 */
export type Judgement<Captured> = (captured: Captured, bench: JudgeContext) => unknown;

/**
 * Returns the failure that other attempts of an undecided exchange show, or null.
 *
 * @param isExpected true if the requirement is about this exchange
 */
export type Settled = (exchange: Exchange | null, isExpected: boolean) => ExpectationFailed | null;

/** Returns the evidence of an exchange for a reader of the verdict of a check. */
export type EvidenceOf = (exchange: Exchange, check: string) => Evidence;

type ShownBy = (exchange: Exchange) => Evidence;

interface At extends Pick<JudgeContext, 'region' | 'hasModels'> {
  /** Default: request and answer. */
  readonly evidenceOf?: EvidenceOf | undefined;
}

/** Returns the verdict of one check. Never throws. */
export function judge<Captured>(
  definition: CheckDefinition,
  outcome: Outcome<Captured>,
  judgement: Judgement<Captured>,
  target: Target,
  { region, hasModels, evidenceOf: evidence = evidenceOf }: At = { region: null, hasModels: true },
  settled: Settled = () => null,
): CheckVerdict {
  const shownBy: ShownBy = (exchange) => evidence(exchange, definition.id);
  switch (outcome.kind) {
    case 'not-applicable':
    case 'untestable':
      return untried(underClaims(definition.id, outcome, target));
    case 'inconclusive': {
      const failure = settled(outcome.exchange, false);
      if (failure !== null) return failed(definition, failure, outcome.exchanges, shownBy);
      return inconclusive(outcome.cause, outcome.reason, outcome.exchange, shownBy);
    }
    case 'error':
      return broken(outcome.error);
    case 'captured':
      break;
  }
  let noted: Finding | undefined;
  const bench: JudgeContext = {
    ...{ target, region, hasModels },
    note(seen, exchange) {
      noted ??= {
        expected: definition.requirement.text,
        actual: seen,
        evidence: exchange === undefined ? null : shownBy(exchange),
      };
    },
  };
  let judged: unknown;
  try {
    judged = judgement(outcome.captured, bench);
  } catch (error) {
    if (error instanceof ExpectationFailed)
      return failed(definition, error, outcome.exchanges, shownBy);
    if (error instanceof Inconclusive) {
      const failure = settled(error.exchange, error.isExpected);
      if (failure !== null) return failed(definition, failure, outcome.exchanges, shownBy);
      return inconclusive(error.because, error.message, error.exchange, shownBy);
    }
    if (error instanceof NothingToJudge) {
      return { state: 'not-applicable', reason: error.message };
    }
    return broken(error);
  }
  const points = judged instanceof JudgedPoints ? { points: judged.points } : {};
  return noted === undefined
    ? { state: 'pass', ...points }
    : { state: 'note', ...noted, ...points };
}

/** Returns the verdict of a check if the target lacks, or does not declare, what it needs. */
function untried(missing: Missing): CheckVerdict {
  const { reason, restriction } = missing;
  const restricted = restriction === undefined ? {} : { restriction };
  if (missing.kind === 'untestable') {
    return { state: missing.kind, reason, gap: missing.gap, ...restricted };
  }
  const { kind, gap } = missing;
  return { state: kind, reason, ...(gap === undefined ? {} : { gap }), ...restricted };
}

const stateOf = { MUST: 'fail', SHOULD: 'warn', MAY: 'note' } as const;

function failed(
  definition: CheckDefinition,
  failure: ExpectationFailed,
  exchanges: readonly Exchange[],
  shownBy: ShownBy,
): CheckVerdict {
  const exchange = failure.exchange ?? exchanges.at(-1) ?? null;
  return {
    state: stateOf[definition.level],
    expected: failure.expected,
    actual: failure.actual,
    evidence: exchange === null ? null : shownBy(exchange),
    difference: failure.difference,
    ...(failure.places.length === 0 ? {} : { places: failure.places }),
    ...(failure.points === null ? {} : { points: failure.points }),
  };
}

function inconclusive(
  cause: Cause,
  reason: string,
  exchange: Exchange | null,
  shownBy: ShownBy,
): CheckVerdict {
  return {
    state: 'inconclusive',
    cause,
    reason,
    evidence: exchange === null ? null : shownBy(exchange),
  };
}

function broken(error: unknown): CheckVerdict {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { state: 'error', reason };
}
