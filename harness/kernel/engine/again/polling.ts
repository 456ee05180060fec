import type { Limits, Target } from '../../targets/index.ts';
import type { Scenario } from '../scenario.ts';

/** Milliseconds between the first two calls of a poll. */
export const firstPauseMs = 25;

/** The pause after this one: half as long again, two seconds at most. */
export function nextPause(pauseMs: number): number {
  return Math.min(pauseMs * 1.5, 2_000);
}

/** Returns the maximum number of calls of one poll within the patience of a target. */
export function mostPolls({ limits }: { readonly limits: Pick<Limits, 'patienceMs'> }): number {
  return callsWithin(limits.patienceMs);
}

/** Returns the maximum number of requests that wait for one response to show a change. */
function mostAsks({ limits }: { readonly limits: Pick<Limits, 'consistencyMs'> }): number {
  // One more is sent at the very end.
  return callsWithin(limits.consistencyMs) + 1;
}

/**
 * Further requests of a run that wait for what was done to stored responses, at most: for each generation
 * that it means to be served, as often as a response may be asked for.
 */
export function mostAsksFor(scenarios: Iterable<Scenario>, target: Target): number {
  let generations = 0;
  for (const scenario of scenarios) generations += scenario.costAt(target).generations;
  return generations * mostAsks(target);
}

function callsWithin(milliseconds: number): number {
  let calls = 1;
  let waited = 0;
  for (let pause = firstPauseMs; waited + pause <= milliseconds; pause = nextPause(pause)) {
    waited += pause;
    calls++;
  }
  return calls;
}
