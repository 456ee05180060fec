import type { CheckResult, RunResult, ScenarioTime } from '../core/index.ts';
import { type Block, code, countedSection, link } from './document/tree.ts';
import { duration } from './duration.ts';
import { counted } from './words.ts';

/** A scenario, its duration, and the checks that judge it. */
interface TimedScenario extends ScenarioTime {
  readonly checks: readonly CheckResult[];
}

/** The scenarios of a run, slowest first. */
function slowest({ traffic, checks }: RunResult): readonly TimedScenario[] {
  const on = new Map<string, CheckResult[]>();
  for (const check of checks) {
    for (const name of check.scenarios) on.set(name, [...(on.get(name) ?? []), check]);
  }
  return (traffic.scenarios ?? [])
    .map((one) => ({ ...one, checks: on.get(one.name) ?? [] }))
    .sort((one, other) => other.durationMs - one.durationMs);
}

/** Number of scenarios shown. */
const shown = 15;

/** The slowest scenarios of a run, with the checks that judge each. */
export function slowestSection(result: RunResult): readonly Block[] {
  const items = slowest(result)
    .slice(0, shown)
    .map(({ name, durationMs, checks: [check, ...others] }) => ({
      text: [
        `${duration(durationMs)} `,
        code(name),
        ...(check === undefined
          ? []
          : [': ', link(`#${check.id}`, counted(others.length + 1, 'check'))]),
      ],
    }));
  return countedSection('Slowest scenarios', items.length, [{ block: 'list', items }], {
    id: 'slowest',
    folded: 'closed',
    meaning: 'what the run took its time for; scenarios run side by side',
  });
}
