import type { Cause, Difference, Exchange, Points } from '../core/index.ts';
import { causeOf, transientIn } from './judged.ts';

interface Repeated {
  readonly difference?: Difference;
  readonly points?: Points | null;
  readonly places?: readonly string[];
}

/**
 * An expectation that does not hold, in plain English: what was expected and what was there instead.
 * `exchange` is the one that shows it; null when the values come from several.
 */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | null;
  readonly difference: Difference;
  /** Points of a requirement that was judged many times, or null. */
  readonly points: Points | null;
  /** Places in the answer that show the failure; may be empty. See `Finding`. */
  readonly places: readonly string[];

  constructor(
    expected: string,
    actual: string,
    exchange: Exchange | null = null,
    kind: Difference['kind'] = 'part',
    { difference = { kind, actual }, points = null, places = [] }: Repeated = {},
  ) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
    this.difference = difference;
    this.points = points;
    this.places = places;
  }

  /** Returns the same difference with a longer text, such as one that says where it was seen. */
  told(actual: string, points: Points | null = this.points): ExpectationFailed {
    const { expected, exchange, difference, places } = this;
    return new ExpectationFailed(expected, actual, exchange, difference.kind, {
      difference,
      points,
      places,
    });
  }
}

/** Says what a judgement came to, and not where: it is thrown for each of many exchanges, and stacks are dear. */
class WithoutStack extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Thrown by a judgement when the answer, legally, has nothing to judge. */
export class NothingToJudge extends WithoutStack {
  override readonly name = 'NothingToJudge';
}

/**
 * Neither pass nor fail, because what was captured decides nothing. Whoever throws it need not look for a
 * transient failure: if one of the exchanges has one, it becomes the cause, whatever else was missed.
 */
export class Inconclusive extends WithoutStack {
  override readonly name = 'Inconclusive';
  readonly because: Cause;
  readonly exchange: Exchange | null;
  /** The requirement is about this exchange, and not about what comes before it. */
  readonly isExpected: boolean;

  /**
   * @param detail what is missing, in words
   * @param exchanges what it would be in; of several the first that failed is shown, or else the last
   * @param because the cause, unless the exchanges show a transient failure
   * @param isExpected whether the requirement is about the exchange that is shown
   */
  constructor(
    detail: string,
    exchanges: Exchange | readonly Exchange[] | null = null,
    because: Cause = 'prerequisite',
    isExpected = false,
  ) {
    const all = exchanges === null ? [] : 'request' in exchanges ? [exchanges] : exchanges;
    const failed = all.find((exchange) => transientIn(exchange) !== null);
    const transient = failed === undefined ? null : transientIn(failed);
    super(transient?.reason ?? detail);
    const exchange = failed ?? all.at(-1) ?? null;
    // Frames that arrived before a socket was lost are kept. Only the rest is missing.
    const lost = exchange?.failure == null ? null : causeOf(exchange.failure);
    this.because = transient?.cause ?? lost ?? because;
    this.exchange = exchange;
    this.isExpected = isExpected;
  }
}
