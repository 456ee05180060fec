import type { Target } from '../../target/target.ts';
import { type Scenario, withPrerequisites } from '../scenario.ts';

/**
 * How many dependent requests still hang on a scenario, itself included. The limiter serves the
 * longest chain first, else a short one would keep it waiting and the run would take longer.
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
