import type { Exchange, ExchangeFailure } from '../../core/index.ts';

/** Number of exchanges in a row without a timely answer after which nothing further is sent. */
const patience = 24;
/**
 * Number of latest requests half of which may go unanswered. A gateway that answers every other request
 * delays a run just as long.
 */
const recently = 48;

/** Limits the wait of a run for a gateway that does not answer. */
export class Silence {
  #inRow = 0;
  /**
   * For each of the last requests: true if it was never answered, though its operation had been served
   * before.
   */
  readonly #recent: boolean[] = [];
  readonly #served = new Set<string>();
  #givenUp: ExchangeFailure | null = null;

  /** Reason why nothing further is sent, or null. */
  get givenUp(): ExchangeFailure | null {
    return this.#givenUp;
  }

  /** An exchange has ended. */
  seen({ about, response, failure }: Exchange): void {
    // Once given up it stays so: what was still under way says nothing new. And one end breaks all that is
    // under way: it is waited for until the gateway is back.
    if (this.#givenUp !== null || failure?.kind === 'ended') return;
    const isUnanswered = ['timeout', 'unreachable', 'proxy'].includes(failure?.kind ?? '');
    this.#inRow = isUnanswered ? this.#inRow + 1 : 0;
    if (!isUnanswered && response !== null && response.status < 300)
      this.#served.add(about.operation);
    // An operation that is never served is told by a check of its own, and is no reason to ask nothing else.
    this.#recent.push(isUnanswered && this.#served.has(about.operation));
    if (this.#recent.length > recently) this.#recent.shift();
    const unanswered = this.#recent.filter(Boolean).length;
    const which =
      this.#inRow >= patience
        ? `none of the last ${patience} requests was`
        : this.#recent.length === recently && unanswered >= recently / 2
          ? `${unanswered} of the last ${recently} requests were not`
          : null;
    if (which === null) return;
    const message = `not sent, because ${which} answered in time: ${failure?.message}`;
    this.#givenUp = { kind: 'unreachable', message };
  }
}
