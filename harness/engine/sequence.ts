import { outcomeOf } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { seedOf } from './seed.ts';
import type { TargetRun } from './session.ts';
import { wholeRun } from './whole-run.ts';

/** In what sequence the scenarios of a run start. It must decide no verdict. */
export interface Sequence {
  /** In an order that the run's seed draws: neither as they are written, nor the longest chain first. */
  readonly shuffle?: boolean;
  /** One when the one before has its outcome; by default all start together. */
  readonly serial?: boolean;
}

/**
 * Starts scenarios, each with what it needs before, in the sequence of their run. Resolves when all
 * have started, which in a serial run is when the last has its outcome.
 */
export async function startScenarios(run: TargetRun, scenarios: Iterable<Scenario>): Promise<void> {
  const { shuffle = false, serial = false } = run.sequence;
  const chosen = new Set(scenarios);
  // It waits for all that have started, so it starts last.
  const waits = chosen.delete(wholeRun);
  const rank = ({ name }: Scenario): number => seedOf(run.seed, name, 'rank');
  const ordered = shuffle ? [...chosen].sort((a, b) => rank(a) - rank(b)) : [...chosen];
  for (const scenario of waits ? [...ordered, wholeRun] : ordered) {
    const outcome = outcomeOf(run, scenario);
    if (serial) await outcome;
  }
}
