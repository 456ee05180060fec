import type { Exchange } from '../core/exchange.ts';

/**
 * An expectation that does not hold, in plain English: what was expected and what was there instead.
 * `exchange` is the one that shows it; null when the values come from several.
 */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | null;

  constructor(expected: string, actual: string, exchange: Exchange | null = null) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/**
 * What was captured decides nothing: no credit, a rate limit, an overloaded or unreachable gateway,
 * a time-out, or a control that was not served. Neither pass nor fail, and never green.
 */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  readonly exchange: Exchange | null;

  constructor(reason: string, exchange: Exchange | null = null) {
    super(reason);
    this.exchange = exchange;
  }
}
