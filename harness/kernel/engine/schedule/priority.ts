import { type Exchange, protocols } from '../../core/index.ts';
import type { Target } from '../../targets/index.ts';
import { type Scenario, withPrerequisites } from '../scenario.ts';
import type { Link } from './critical-path.ts';
import { OpenRuns } from './open-runs.ts';

/** More than the height of any chain of scenarios. */
const tier = 10_000;

/**
 * Decides which pending request gets a slot first. Requests that accompany an open stream, an open socket or a
 * background run go first, because a response must still run when it is cancelled. Next are those that continue a
 * scenario, last those that begin one. Within each group, the request with the longest chain of dependents goes first.
 */
export class Priorities {
  #heights: ReadonlyMap<Scenario, number> = new Map();
  /** Number of open streams and sockets of each scenario. */
  readonly #beside = new Map<Scenario, number>();
  readonly #openRuns = new OpenRuns();

  /** Lets the longest chain go first from now on, among these scenarios and their prerequisites. */
  longestFirst(scenarios: Iterable<Scenario>, target: Target): void {
    this.#heights = chainHeights(scenarios, target);
  }

  /** Returns the priority of a request: the highest goes first. */
  of(scenario: Scenario, { before }: Link): number {
    const height = this.#heights.get(scenario) ?? 0;
    const goesOn = (this.#beside.get(scenario) ?? 0) > 0 || this.#openRuns.concern(scenario);
    if (goesOn) return 2 * tier + height;
    // Requests of one protocol follow each other, so that they meet even if few are sent at once.
    if (scenario.together !== null) return tier - protocols.indexOf(scenario.together);
    return before.requests > 0 ? tier + height : height;
  }

  /** Records that a scenario continues during its open stream or socket. @returns ends that */
  goesOnBeside(scenario: Scenario): () => void {
    const change = (by: 1 | -1): void => {
      this.#beside.set(scenario, (this.#beside.get(scenario) ?? 0) + by);
    };
    change(1);
    return () => change(-1);
  }

  /** Records the state of a background run that an answer shows. */
  saw(scenario: Scenario, exchange: Exchange): void {
    this.#openRuns.saw(scenario, exchange);
  }

  /** Drops a scenario that sends nothing more. */
  forget(scenario: Scenario): void {
    this.#beside.delete(scenario);
    this.#openRuns.forget(scenario);
  }
}

/**
 * Returns the length of the longest chain of dependent requests from each scenario on, including its own. The
 * limiter serves the longest chain first, because otherwise the run would take longer.
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
