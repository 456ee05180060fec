import { outcomeOf } from '../engine/capture.ts';
import { scenario } from '../engine/scenario.ts';
import type { TargetRun } from '../engine/session.ts';
import { actsOf, generationsOf, type History } from './history.ts';
import { perform, type Sent } from './perform.ts';

/** Performs a history as a scenario of a run, which may be a recorded one. */
export async function performIn(
  run: TargetRun,
  name: string,
  history: History,
): Promise<ReadonlyMap<number, Sent>> {
  const acts = actsOf(history);
  const one = scenario(
    name,
    {
      cost: {
        requests: acts.length,
        generations: generationsOf(history),
        continues: acts.filter((act) => act.kind === 'create' && act.previous !== undefined).length,
      },
    },
    (io) => perform(io, history),
  );
  run.prioritise([one]);
  const outcome = await outcomeOf(run, one);
  // What was performed is not kept: there may be very many.
  run.outcomes.delete(one);
  if (outcome.kind === 'captured') return outcome.captured;
  if (outcome.kind === 'error') throw outcome.error;
  return new Map();
}
