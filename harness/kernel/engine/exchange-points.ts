import { type CheckDefinition, type CheckVerdict, type Exchange, sameId } from '../core/index.ts';
import {
  Inconclusive,
  isRefused,
  isServed,
  ManyPoints,
  NothingToJudge,
  transientIn,
  turnsOf,
} from '../judge/index.ts';
import type { Target } from '../targets/index.ts';
import { judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { JudgedExchanges } from './registry.ts';
import type { WholeRun } from './whole-run.ts';

export class ExchangePoints {
  readonly all = new ManyPoints({ noun: 'exchange' });
  /** Internal error that prevented a verdict, or null. */
  broken: { readonly error: unknown } | null = null;

  /**
   * Judges an exchange, or each of its turns, if the requirement applies, and adds the points.
   *
   * @returns false if the requirement does not apply
   * @throws internal errors
   */
  judge(
    { which, partial = false, turns = false, judge: judgement }: JudgedExchanges,
    exchange: Exchange,
    whole: WholeRun,
  ): boolean {
    if (!which(exchange, whole)) return false;
    for (const one of turns ? turnsOf(exchange) : [exchange]) {
      if (partial || isWhole(one)) this.all.at(one, () => judgeCase(one, whole, judgement));
    }
    return true;
  }

  /** @param outcome explains why there may be no points */
  verdict(
    definition: CheckDefinition,
    target: Target,
    outcome: Outcome<null> = nothingLacks,
  ): CheckVerdict {
    const { all, broken } = this;
    const error = broken && ({ kind: 'error', error: broken.error, exchanges: [] } as const);
    return judge(definition, error ?? outcome, () => all.end(), target);
  }
}

const nothingLacks = { kind: 'captured', captured: null, exchanges: [] } as const;

/**
 * Judges one answer. If a requirement applies only to a served answer and this one was refused, it is not judged
 * here: other requirements judge refusals.
 */
function judgeCase(exchange: Exchange, whole: WholeRun, judgement: JudgedExchanges['judge']): void {
  try {
    judgement(exchange, whole);
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.exchange === null) throw error;
    if (!sameId(error.exchange.id, exchange.id)) throw error;
    if (exchange.failure?.kind === 'cut') throw new NothingToJudge('we broke it off');
    if (error.because !== 'control' || !saysNothing(exchange)) throw error;
    throw new NothingToJudge('it was refused, or had nothing left to say');
  }
}

/** True if the exchange or a turn was refused, or is the rest of a stream that was complete. */
function saysNothing(exchange: Exchange): boolean {
  const isOver = isServed(exchange, { nothingLeft: true });
  return isOver || turnsOf(exchange).some((turn) => isRefused(turn, { capability: true }));
}

/** True if an answer arrived completely and is no transient failure. */
function isWhole(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  return response !== null && failure === null && transientIn(exchange) === null;
}
