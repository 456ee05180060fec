import { test } from 'vitest';
import type { CheckVerdict } from '../core/verdict.ts';
import { Room } from './admission.ts';
import { keptChecks, verdictsOf } from './many.ts';
import type { OneOrder } from './order.ts';
import type { TargetRun } from './session.ts';
import { type TriedTransients, tryTransients } from './try-transients.ts';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** Every verdict on one target, by the id of the check. */
    touchstoneVerdicts?: Readonly<Record<string, CheckVerdict>>;
    /** What came of transients there, where it was ordered. */
    touchstoneTransients?: TriedTransients;
  }
}

/**
 * One test for each target, which judges all its checks. Hundreds of targets with hundreds of checks
 * each would be more tests than Vitest handles quickly.
 *
 * @param window targets that are called at once
 */
export function testEveryTarget(
  runs: readonly TargetRun[],
  { window, each }: { readonly window: number; readonly each: readonly OneOrder[] },
): void {
  const room = new Room(window);
  for (const [index, run] of runs.entries()) {
    const { selected = null, transients = false } = each[index] ?? {};
    const ids = selected === null ? null : new Set(selected);
    test(run.target.name, { timeout: 0, concurrent: true }, async ({ task }) => {
      const chosen = keptChecks().filter(({ id }) => ids === null || ids.has(id));
      const leave = await room.enter(() => run.scenariosDone);
      try {
        if (transients) task.meta.touchstoneTransients = await tryTransients(run, chosen);
        else task.meta.touchstoneVerdicts = Object.fromEntries(await verdictsOf(run, chosen));
      } finally {
        leave();
      }
      // What a target answered is not needed any more, and there may be many of them.
      run.outcomes.clear();
    });
  }
}
