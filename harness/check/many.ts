import { test } from 'vitest';
import type { CheckDefinition } from '../spec/requirement.ts';
import type { CheckVerdict } from '../spec/verdict.ts';
import { type Judgement, judge } from './judge.ts';
import type { OneOrder } from './order.ts';
import { outcomeOf } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { startScenarios } from './sequence.ts';
import type { TargetRun } from './session.ts';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** Every verdict on one target, by the id of the check. */
    touchstoneVerdicts?: Readonly<Record<string, CheckVerdict>>;
  }
}

/** A check, kept to be judged at every target of a run. */
export interface Bound {
  readonly id: string;
  readonly scenario: Scenario;
  verdict(run: TargetRun): Promise<CheckVerdict>;
}

const bound: Bound[] = [];

/** Keeps a check for `testEveryTarget`. */
export function keep<Captured>(
  definition: CheckDefinition,
  scenario: Scenario<Captured>,
  judgement: Judgement<Captured>,
): void {
  bound.push({
    id: definition.id,
    scenario,
    verdict: async (run) =>
      judge(definition, await outcomeOf(run, scenario), judgement, run.target),
  });
}

/** Every check kept so far, in order. */
export function keptChecks(): readonly Bound[] {
  return bound;
}

/** Judges a target by these checks, and gives the verdicts by their ids. */
async function verdictsAt(
  run: TargetRun,
  checks: readonly Bound[],
): Promise<Record<string, CheckVerdict>> {
  await startScenarios(
    run,
    checks.map(({ scenario }) => scenario),
  );
  const verdicts: Record<string, CheckVerdict> = {};
  for (const { id, verdict } of checks) verdicts[id] = await verdict(run);
  // What a target answered is not needed any more, and there may be many of them.
  run.outcomes.clear();
  return verdicts;
}

/**
 * One test for each target, which judges all its checks. Hundreds of targets with hundreds of checks
 * each would be more tests than Vitest handles quickly; and as Vitest runs only so many tests at once,
 * so many targets are under way at once.
 */
export function testEveryTarget(runs: readonly TargetRun[], each: readonly OneOrder[]): void {
  for (const [index, run] of runs.entries()) {
    const selected = each[index]?.selected ?? null;
    const ids = selected === null ? null : new Set(selected);
    test(run.target.name, { timeout: 0, concurrent: true }, async ({ task }) => {
      const chosen = bound.filter(({ id }) => ids === null || ids.has(id));
      task.meta.touchstoneVerdicts = await verdictsAt(run, chosen);
    });
  }
}
