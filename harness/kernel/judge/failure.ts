import type { Cause, Difference, Exchange, Points } from '../core/index.ts';
import { causeOf, transientIn } from './judged.ts';

interface Repeated {
  readonly difference?: Difference;
  readonly points?: Points | null;
  readonly places?: readonly string[];
}

/**
 * Thrown if an expectation does not hold. Expected and actual behaviour are in plain English. `exchange` is the one
 * that shows the failure; null if the values come from several.
 */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | null;
  readonly difference: Difference;
  /** Points of a requirement that was judged at several, or null. */
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

  /** Returns the same difference with a longer text, for example with the place where it was seen. */
  told(actual: string, points: Points | null = this.points): ExpectationFailed {
    const { expected, exchange, difference, places } = this;
    return new ExpectationFailed(expected, actual, exchange, difference.kind, {
      difference,
      points,
      places,
    });
  }
}

/** An error for an outcome. It has no stack trace, because it is thrown for many exchanges. */
class WithoutStack extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Thrown by a judgement if the answer legally has nothing to judge. */
export class NothingToJudge extends WithoutStack {
  override readonly name = 'NothingToJudge';
}

/**
 * Thrown if the captured exchanges decide nothing: neither pass nor fail. Callers need not look for a transient
 * failure: if one of the exchanges has one, it becomes the cause, whatever else is missing.
 */
export class Inconclusive extends WithoutStack {
  override readonly name = 'Inconclusive';
  readonly because: Cause;
  readonly exchange: Exchange | null;
  /** True if the requirement is about this exchange, and not about a prerequisite. */
  readonly isExpected: boolean;

  /**
   * @param detail the missing part, in words
   * @param exchanges that should contain it; the first with a transient failure is shown, or else the last
   * @param because the cause, unless the exchanges show a transient failure
   * @param isExpected true if the requirement is about the exchange that is shown
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
