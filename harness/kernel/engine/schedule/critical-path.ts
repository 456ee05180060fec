import type { ScenarioTime } from '../../core/index.ts';
import type { Scenario } from '../scenario.ts';

/** A sequence of waits, each of which depends on the one before. */
interface Chain {
  /** Milliseconds of waiting: for answers of the gateway, and between polls. */
  readonly ms: number;
  /** Requests, and turns of a WebSocket. */
  readonly requests: number;
  /** The pauses between polls, which `ms` includes. */
  readonly pausesMs: number;
}

/** A wait of a scenario: for an exchange, a turn of a socket, or a pause between polls. */
export interface Link {
  /** Chain that had to end before this wait could begin. */
  readonly before: Chain;
  /**
   * Records the end of the wait, or the moment when the scenario continues. May be called twice.
   *
   * @param started time of sending; waiting for a free slot is no part of a chain
   */
  waited(started: number, ended: number): void;
}

const nothing: Chain = { ms: 0, requests: 0, pausesMs: 0 };

interface Ended {
  readonly lane: string;
  readonly chain: Chain;
}

/** Interval in milliseconds. */
interface Wait {
  readonly started: number;
  readonly ended: number;
}

/** Times a wait as this link of a chain. @param now milliseconds since the start of the run */
export async function timed<T>(link: Link, now: () => number, wait: () => Promise<T>): Promise<T> {
  const started = now();
  const waited = await wait();
  link.waited(started, now());
  return waited;
}

/**
 * Finds the longest chain of dependent requests at one target. A request in a lane depends on everything that has
 * ended in that lane, in the main lane, and in the prerequisites of the scenario.
 */
export class Chains {
  longest = nothing;
  readonly #ended = new Map<Scenario, Ended[]>();
  readonly #waits = new Map<Scenario, Wait[]>();
  readonly #deferred = new Map<Scenario, Chain>();

  /**
   * Begins a link. Must be called in the tick of the request, because it does not depend on anything that ends later.
   */
  link(scenario: Scenario, lane: string, kind: 'request' | 'turn' | 'close' | 'pause'): Link {
    const before = longestOf([
      ...this.#of(scenario)
        .filter((one) => lane === 'main' || one.lane === 'main' || one.lane === lane)
        .map(({ chain }) => chain),
      this.#prerequisites(scenario),
    ]);
    return {
      before,
      waited: (started, ended) => {
        const ms = ended - started;
        const chain: Chain = {
          ms: before.ms + ms,
          requests: before.requests + (kind === 'request' || kind === 'turn' ? 1 : 0),
          pausesMs: before.pausesMs + (kind === 'pause' ? ms : 0),
        };
        this.#of(scenario).push({ lane, chain });
        this.#waitsOf(scenario).push({ started, ended });
        this.longest = longestOf([this.longest, chain]);
      },
    };
  }

  /** Drops a scenario that nothing can depend on any more. */
  forget(scenario: Scenario): void {
    for (const known of [this.#ended, this.#waits, this.#deferred]) known.delete(scenario);
  }

  /** Records that an expiring scenario starts after `behind`, which only `by` needs. */
  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void {
    if (this.#deferred.has(scenario)) return;
    const until = [...behind.map((before) => this.#through(before)), this.#deferred.get(by)];
    this.#deferred.set(scenario, longestOf(until.filter((chain) => chain !== undefined)));
  }

  /** Records that a scenario starts when all requests so far have ended. */
  phaseReached(scenario: Scenario): void {
    this.#deferred.set(scenario, this.longest);
  }

  /**
   * Returns how long each scenario waited for the gateway, in the order of their starts: requests in flight, and
   * pauses between polls. Waiting for a free slot or for other scenarios does not count.
   */
  durations(): readonly ScenarioTime[] {
    return [...this.#waits].map(([{ name }, waits]) => ({ name, durationMs: covered(waits) }));
  }

  #waitsOf(scenario: Scenario): Wait[] {
    const known = this.#waits.get(scenario) ?? [];
    this.#waits.set(scenario, known);
    return known;
  }

  #prerequisites(scenario: Scenario): Chain {
    return longestOf([
      this.#deferred.get(scenario) ?? nothing,
      ...Object.values(scenario.after).map((before) => this.#through(before)),
    ]);
  }

  #through(scenario: Scenario): Chain {
    const own = this.#of(scenario).map(({ chain }) => chain);
    return longestOf([...own, this.#prerequisites(scenario)]);
  }

  #of(scenario: Scenario): Ended[] {
    const known = this.#ended.get(scenario);
    if (known !== undefined) return known;
    const none: Ended[] = [];
    this.#ended.set(scenario, none);
    return none;
  }
}

/** Returns the milliseconds that at least one of the intervals covers. */
function covered(waits: readonly Wait[]): number {
  let until = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const { started, ended } of waits.toSorted((one, other) => one.started - other.started)) {
    sum += Math.max(0, ended - Math.max(started, until));
    until = Math.max(until, ended);
  }
  return Math.round(sum * 100) / 100;
}

/** Returns the longest chain; without any, an empty one. */
export function longestOf(chains: readonly Chain[]): Chain {
  return chains.reduce((longest, chain) => (chain.ms > longest.ms ? chain : longest), nothing);
}
