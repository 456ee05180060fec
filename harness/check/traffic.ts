import type { Exchange } from '../wire/exchange.ts';
import type { TrafficReport } from './order.ts';

/** Counts what is sent, and finds the longest chain of requests that waited for one another. */
export class Traffic {
  requests = 0;
  generations = 0;
  inFlight = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #latency = 0;
  #longest = 0;

  sent(generates: boolean): void {
    this.requests++;
    this.inFlight++;
    if (generates) this.generations++;
  }

  /**
   * @param chainBefore milliseconds of latency that had to pass before this request could be made
   * @returns the chain with this exchange at its end, in milliseconds
   */
  ended({ times }: Exchange, chainBefore: number): number {
    this.inFlight--;
    const latency = times.ended - times.started;
    this.#first = Math.min(this.#first, times.started);
    this.#last = Math.max(this.#last, times.ended);
    this.#latency += latency;
    const chain = chainBefore + latency;
    this.#longest = Math.max(this.#longest, chain);
    return chain;
  }

  report(): TrafficReport {
    return {
      requests: this.requests,
      generations: this.generations,
      spanMs: this.requests === 0 ? 0 : this.#last - this.#first,
      longestChainMs: this.#longest,
      latencyMs: this.#latency,
    };
  }
}
