import { type ExchangeId, formatId } from '../../core/index.ts';

// A connection may break on the way to a right gateway: a balancer, NAT or a rolling restart resets it. So a
// request whose connection breaks before any of its answer is made again, as a new request with an id of its
// own. Every attempt is recorded.

/**
 * Attempts of one request, at most. A line that resets one connection in twelve breaks five in a row once in
 * 250,000 requests.
 */
export const mostAttempts = 5;

/** Attempts that are made of any request, also where no connection was seen to break by chance. */
const leastAttempts = 2;

/** Requests that stayed unanswered in all attempts, before further ones get no more than the least. */
const mostLost = 2;

/** The text of the id of the first attempt of the same request. */
export function firstAttemptOf(id: ExchangeId): string {
  return formatId({ ...id, attempt: 1 });
}

/** Further attempts that a run may make, at most: every fourth request of its plan, and a few in a short one. */
export function mostFurtherAttempts({ requests }: { readonly requests: number }): number {
  return Math.ceil(requests / 4) + 2 * mostAttempts;
}

/**
 * Decides how often a request is attempted. Where connections break by chance, others were answered in a
 * further attempt. Where that was never seen, a gateway breaks them by itself, and two attempts show it.
 */
export class Attempts {
  #left = 0;
  #recovered = 0;
  #lost = 0;

  /** Adds to the further attempts that may be made. */
  allow(further: number): void {
    this.#left += further;
  }

  /** Takes one further attempt, the n-th of its request. @returns false where it may not be made */
  take(n: number): boolean {
    const most = this.#recovered > 0 || this.#lost < mostLost ? mostAttempts : leastAttempts;
    if (n > most || this.#left <= 0) return false;
    this.#left--;
    return true;
  }

  /** Learns what became of a request that was attempted more than once. */
  ended(isAnswered: boolean): void {
    if (isAnswered) this.#recovered++;
    else this.#lost++;
  }
}
