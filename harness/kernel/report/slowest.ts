import type { CheckResult, RunResult, ScenarioTime } from '../core/index.ts';

/** A scenario, how long it took, and the checks that are judged on it. */
export interface TimedScenario extends ScenarioTime {
  readonly checks: readonly CheckResult[];
}

/** The scenarios of a run, slowest first. */
export function slowest({ traffic, checks }: RunResult): readonly TimedScenario[] {
  const on = new Map<string, CheckResult[]>();
  for (const check of checks) {
    for (const name of check.scenarios) on.set(name, [...(on.get(name) ?? []), check]);
  }
  return (traffic.scenarios ?? [])
    .map((one) => ({ ...one, checks: on.get(one.name) ?? [] }))
    .sort((one, other) => other.durationMs - one.durationMs);
}
