import type { ScenarioTime } from '../../core/index.ts';
import type { Scenario } from '../scenario.ts';

/** A sequence of waits, each of which depends on the one before. */
interface Chain {
  /** Milliseconds that the gateway took, and that were waited for it to get on. */
  readonly ms: number;
  /** Requests, and turns of a WebSocket. */
  readonly requests: number;
  /** The pauses between polls that are in `ms`. */
  readonly pausesMs: number;
}

/** Something that a scenario waits for: an exchange, a turn of a socket, a pause between polls. */
export interface Link {
  /** Chain that had to end before this could be asked for. */
  readonly before: Chain;
  /**
   * Notes that the wait is over, or has come so far that the scenario goes on. May be called twice.
   *
   * @param started when the request left; waiting for a free slot is no part of a chain
   */
  waited(started: number, ended: number): void;
}

const nothing: Chain = { ms: 0, requests: 0, pausesMs: 0 };

interface Ended {
  readonly lane: string;
  readonly chain: Chain;
}

/** From one moment to another, in milliseconds. */
interface Wait {
  readonly started: number;
  readonly ended: number;
}

/** Waits for something, as this link of a chain. @param now milliseconds since the start of the run */
export async function timed<T>(link: Link, now: () => number, wait: () => Promise<T>): Promise<T> {
  const started = now();
  const waited = await wait();
  link.waited(started, now());
  return waited;
}

/**
 * Finds the longest chain of dependent requests at one target. What a scenario asks for in a lane
 * comes after all that has ended in that lane or in the main one, and in the scenarios before it.
 */
export class Chains {
  longest = nothing;
  readonly #ended = new Map<Scenario, Ended[]>();
  readonly #waits = new Map<Scenario, Wait[]>();
  readonly #deferred = new Map<Scenario, Chain>();

  /**
   * Must be called in the tick in which the scenario asks for it, because whatever ends later did not come
   * before it.
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

  /** Nothing comes after a scenario any more. */
  forget(scenario: Scenario): void {
    for (const known of [this.#ended, this.#waits, this.#deferred]) known.delete(scenario);
  }

  /**
   * Notes that an expiring scenario starts after the scenarios `behind`, because `by` needs them, though it
   * does not need them itself.
   */
  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void {
    if (this.#deferred.has(scenario)) return;
    const until = [...behind.map((before) => this.#through(before)), this.#deferred.get(by)];
    this.#deferred.set(scenario, longestOf(until.filter((chain) => chain !== undefined)));
  }

  /** Notes that a scenario starts when all that was asked for so far has ended. */
  phaseReached(scenario: Scenario): void {
    this.#deferred.set(scenario, this.longest);
  }

  /**
   * Returns how long each scenario waited for the gateway, in the order in which they began. A request was
   * in flight, or the scenario paused between two polls. Waiting for a free slot or for other scenarios
   * does not count.
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

  /** To the end of a scenario. */
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

/** Milliseconds that lie in at least one of these. */
function covered(waits: readonly Wait[]): number {
  let until = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const { started, ended } of waits.toSorted((one, other) => one.started - other.started)) {
    sum += Math.max(0, ended - Math.max(started, until));
    until = Math.max(until, ended);
  }
  return Math.round(sum * 100) / 100;
}

/** The longest of some chains; of none, nothing. */
export function longestOf(chains: readonly Chain[]): Chain {
  return chains.reduce((longest, chain) => (chain.ms > longest.ms ? chain : longest), nothing);
}
