import type { Exchange, ExchangeFailure } from '../../core/index.ts';

/** Number of exchanges in a row without a timely answer after which nothing further is sent. */
const patience = 24;
/**
 * Number of latest requests, half of which may stay unanswered. A gateway that answers every other request delays a
 * run just as long.
 */
const recently = 48;

/** Limits the time that a run waits for a gateway that does not answer. */
export class Silence {
  #inRow = 0;
  /** For each of the latest requests: true if a formerly served operation stayed unanswered. */
  readonly #recent: boolean[] = [];
  readonly #served = new Set<string>();
  #givenUp: ExchangeFailure | null = null;

  /** Reason why nothing further is sent, or null. */
  get givenUp(): ExchangeFailure | null {
    return this.#givenUp;
  }

  seen({ about, response, failure }: Exchange): void {
    // The decision to give up is final: requests still in flight show nothing new. An exit of the gateway is no
    // silence: it breaks all requests in flight, and the run waits until the gateway is back.
    if (this.#givenUp !== null || failure?.kind === 'ended') return;
    const isUnanswered = ['timeout', 'unreachable', 'proxy'].includes(failure?.kind ?? '');
    this.#inRow = isUnanswered ? this.#inRow + 1 : 0;
    if (!isUnanswered && response !== null && response.status < 300)
      this.#served.add(about.operation);
    // An operation that is never served fails its own check, and is no reason to stop the run.
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
