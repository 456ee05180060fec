import type { CheckDefinition } from '../core/requirement.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { type Judgement, judge } from './judge.ts';
import { outcomeOn, scenariosToRun } from './outcome.ts';
import type { CapturedOn, JudgedOn } from './scenario.ts';
import { startScenarios } from './sequence.ts';
import type { TargetRun } from './session.ts';

/** A check, kept to be judged at every target of a run. */
export interface Bound {
  readonly id: string;
  readonly on: JudgedOn;
  verdict(run: TargetRun): Promise<CheckVerdict>;
}

const bound: Bound[] = [];

/** Keeps a check for `testEveryTarget`. */
export function keep<On extends JudgedOn>(
  definition: CheckDefinition,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): void {
  bound.push({
    id: definition.id,
    on,
    verdict: async (run) => judge(definition, await outcomeOn(run, on), judgement, run.target),
  });
}

/** Every check kept so far, in order. */
export function keptChecks(): readonly Bound[] {
  return bound;
}

/** Runs what checks need, and judges by them. By their ids. */
export async function verdictsOf(
  run: TargetRun,
  checks: readonly Bound[],
): Promise<Map<string, CheckVerdict>> {
  await startScenarios(
    run,
    checks.flatMap(({ on }) => scenariosToRun(on, run.target)),
  );
  const verdicts = new Map<string, CheckVerdict>();
  for (const { id, verdict } of checks) verdicts.set(id, await verdict(run));
  return verdicts;
}
