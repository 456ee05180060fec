import { registeredChecks } from '../engine/registry.ts';
import { type Scenario, scenariosIn } from '../engine/scenario.ts';
import type { Target } from '../target/target.ts';

/** How a run asks the ledger at its end for all that it has sent: what the checks of the ledger rest on. */
export function ledgerScenarios(): readonly Scenario[] {
  const resting = registeredChecks()
    .filter(({ everywhere }) => everywhere !== undefined)
    .flatMap(({ on }) => scenariosIn(on))
    .filter(({ last, needs }) => last && needs.probes?.includes('ledger') === true);
  return [...new Set(resting)];
}

/** Requests that it takes to ask the ledger, at most. */
export function ledgerRequests(target: Target): number {
  return ledgerScenarios().reduce((sum, scenario) => sum + scenario.costAt(target).requests, 0);
}
