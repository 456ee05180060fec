import type { Exchange } from '../../core/index.ts';
import type { Target } from '../../targets/index.ts';
import { type Scenario, withPrerequisites } from '../scenario.ts';
import type { Link } from './critical-path.ts';
import { OpenRuns } from './open-runs.ts';

/** More than any chain of scenarios is high. */
const tier = 10_000;

/**
 * Decides which pending request gets a slot first. Requests that accompany an open stream, an open socket
 * or a background run go first, because a response must still run when it is cancelled. Next are those that
 * continue a scenario, last those that begin one. Within each group, the request goes first that most
 * others wait for.
 */
export class Priorities {
  #heights: ReadonlyMap<Scenario, number> = new Map();
  /** Number of open streams and sockets of each scenario. */
  readonly #beside = new Map<Scenario, number>();
  readonly #openRuns = new OpenRuns();

  /** From now on the longest chain goes first, among these scenarios and what comes before them. */
  longestFirst(scenarios: Iterable<Scenario>, target: Target): void {
    this.#heights = chainHeights(scenarios, target);
  }

  /** The higher, the sooner. */
  of(scenario: Scenario, { before }: Link): number {
    const height = this.#heights.get(scenario) ?? 0;
    const goesOn = (this.#beside.get(scenario) ?? 0) > 0 || this.#openRuns.concern(scenario);
    if (goesOn) return 2 * tier + height;
    return before.requests > 0 ? tier + height : height;
  }

  /** A scenario goes on while a stream of it does after its first event, or its socket is open. @returns ends that */
  goesOnBeside(scenario: Scenario): () => void {
    const change = (by: 1 | -1): void => {
      this.#beside.set(scenario, (this.#beside.get(scenario) ?? 0) + by);
    };
    change(1);
    return () => change(-1);
  }

  /** Takes note of what an answer says of a run in the background. */
  saw(scenario: Scenario, exchange: Exchange): void {
    this.#openRuns.saw(scenario, exchange);
  }

  /** Nothing more is asked for by a scenario. */
  forget(scenario: Scenario): void {
    this.#beside.delete(scenario);
    this.#openRuns.forget(scenario);
  }
}

/**
 * Returns the number of dependent requests that wait for each scenario, its own included. The limiter
 * serves the longest chain first, because a short one would delay it and the run would take longer.
 */
export function chainHeights(scenarios: Iterable<Scenario>, target: Target): Map<Scenario, number> {
  const all = withPrerequisites(scenarios);
  const dependents = new Map<Scenario, Scenario[]>();
  for (const scenario of all) {
    for (const before of Object.values(scenario.after)) {
      dependents.set(before, [...(dependents.get(before) ?? []), scenario]);
    }
  }
  const heights = new Map<Scenario, number>();
  const heightOf = (scenario: Scenario): number => {
    const known = heights.get(scenario);
    if (known !== undefined) return known;
    const above = Math.max(0, ...(dependents.get(scenario) ?? []).map(heightOf));
    const { requests, chain = requests } = scenario.costAt(target);
    const height = chain + above;
    heights.set(scenario, height);
    return height;
  };
  for (const scenario of all) heightOf(scenario);
  return heights;
}
