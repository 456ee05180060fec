import { seedOf } from '../../drawn/index.ts';
import { outcomeOf } from '../capture.ts';
import type { Scenario } from '../scenario.ts';
import type { TargetRun } from '../session.ts';
import { phases } from './phases.ts';

/**
 * Starts scenarios with their prerequisites, in the sequence of their run. Resolves when all have started; in a
 * serial run, when the last has its outcome.
 */
export async function startScenarios(run: TargetRun, scenarios: Iterable<Scenario>): Promise<void> {
  const { shuffle = false, serial = false } = run.sequence;
  const chosen = new Set(scenarios);
  const rank = ({ name }: Scenario): number => seedOf(run.seed, name, 'rank');
  const drawn = shuffle ? [...chosen].sort((a, b) => rank(a) - rank(b)) : [...chosen];
  // Sorts by phase: a serial run would otherwise wait for a scenario that has not started.
  const ordered = phases.flatMap((phase) => drawn.filter((one) => one.phase === phase));
  for (const scenario of ordered) {
    const outcome = outcomeOf(run, scenario);
    if (serial) await outcome;
  }
}
