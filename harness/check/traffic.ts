import type { Exchange } from '../wire/exchange.ts';
import type { TrafficReport } from './order.ts';
import type { Scenario } from './scenario.ts';

interface Ended {
  readonly at: number;
  /** Milliseconds of latency that had to pass, one exchange after the other, until this one ended. */
  readonly chain: number;
}

/**
 * Counts what is sent, and finds the longest chain of requests that waited for one another: an
 * exchange waits for all that had ended in its scenario, and in what that one comes after, when it
 * was asked for. Waiting for a free slot is no part of a chain.
 */
export class Traffic {
  requests = 0;
  /** Generations that were served: what the user pays for. */
  generations = 0;
  inFlight = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #latency = 0;
  #longest = 0;
  readonly #ended = new Map<Scenario, Ended[]>();

  /**
   * An exchange begins.
   *
   * @param asked when the scenario asked for it, before it waited for a slot
   * @returns to be called with the exchange when it has ended
   */
  begin(scenario: Scenario, generates: boolean, asked: number): (exchange: Exchange) => void {
    this.requests++;
    this.inFlight++;
    const before = this.#chainBefore(scenario, asked);
    return ({ times, response }) => {
      this.inFlight--;
      const served = response !== null && response.status >= 200 && response.status < 300;
      if (generates && served) this.generations++;
      const latency = times.ended - times.started;
      this.#first = Math.min(this.#first, times.started);
      this.#last = Math.max(this.#last, times.ended);
      this.#latency += latency;
      const chain = before + latency;
      this.#longest = Math.max(this.#longest, chain);
      const ended = this.#ended.get(scenario) ?? [];
      ended.push({ at: times.ended, chain });
      this.#ended.set(scenario, ended);
    };
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

  #chainBefore(scenario: Scenario, asked: number): number {
    const own = (this.#ended.get(scenario) ?? []).filter(({ at }) => at <= asked);
    const earlier = Object.values(scenario.after).map((one) => this.#chainBefore(one, asked));
    return Math.max(0, ...own.map(({ chain }) => chain), ...earlier);
  }
}
