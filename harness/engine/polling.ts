import type { Limits } from '../target/target.ts';

/** Milliseconds between the first two calls of a poll. */
export const firstPauseMs = 25;

/** The pause after this one: half as long again, two seconds at most. */
export function nextPause(pauseMs: number): number {
  return Math.min(pauseMs * 1.5, 2_000);
}

/** How many calls a poll comes to within the patience of a target, at most. */
export function mostPolls({ limits }: { readonly limits: Pick<Limits, 'patienceMs'> }): number {
  let calls = 1;
  let waited = 0;
  for (let pause = firstPauseMs; waited + pause <= limits.patienceMs; pause = nextPause(pause)) {
    waited += pause;
    calls++;
  }
  return calls;
}
