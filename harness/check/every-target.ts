import { test } from 'vitest';
import type { CheckVerdict } from '../spec/verdict.ts';
import { keptChecks, verdictsOf } from './many.ts';
import type { OneOrder } from './order.ts';
import type { TargetRun } from './session.ts';
import { type TriedMishaps, tryMishaps } from './try-mishaps.ts';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** Every verdict on one target, by the id of the check. */
    touchstoneVerdicts?: Readonly<Record<string, CheckVerdict>>;
    /** What came of mishaps there, where it was ordered. */
    touchstoneMishaps?: TriedMishaps;
  }
}

/**
 * One test for each target, which judges all its checks. Hundreds of targets with hundreds of checks
 * each would be more tests than Vitest handles quickly; and as Vitest runs only so many tests at once,
 * so many targets are under way at once.
 */
export function testEveryTarget(runs: readonly TargetRun[], each: readonly OneOrder[]): void {
  for (const [index, run] of runs.entries()) {
    const { selected = null, mishaps = false } = each[index] ?? {};
    const ids = selected === null ? null : new Set(selected);
    test(run.target.name, { timeout: 0, concurrent: true }, async ({ task }) => {
      const chosen = keptChecks().filter(({ id }) => ids === null || ids.has(id));
      if (mishaps) task.meta.touchstoneMishaps = await tryMishaps(run, chosen);
      else task.meta.touchstoneVerdicts = Object.fromEntries(await verdictsOf(run, chosen));
      // What a target answered is not needed any more, and there may be many of them.
      run.outcomes.clear();
    });
  }
}
