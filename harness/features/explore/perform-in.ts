import { outcomeOf, scenario, type TargetRun } from '../../kernel/engine/index.ts';
import type { Most } from './budget.ts';
import { continuesOf, generationsOf, type History, requestsOf } from './history.ts';
import { perform, type Sent } from './perform.ts';

export async function performIn(
  run: TargetRun,
  name: string,
  history: History,
): Promise<ReadonlyMap<number, Sent>> {
  const one = scenario(name, { cost: costOf(history), withoutLookup: true }, (io) =>
    perform(io, history),
  );
  run.prioritise([one]);
  const outcome = await outcomeOf(run, one);
  // Performed histories are removed, because there may be very many.
  await run.forget?.(one);
  if (outcome.kind === 'captured') return outcome.captured;
  if (outcome.kind === 'error') throw outcome.error;
  return new Map();
}

/** Returns the maximum cost of a history at any gateway. Polls for a lagging node are additional requests. */
export function mostOf(history: History): Most {
  const cost = costOf(history);
  // Each response may have to be polled by its creator before it is continued.
  return {
    generations: cost.generations + cost.continues,
    requests: cost.requests + cost.generations,
  };
}

function costOf(history: History) {
  return {
    requests: requestsOf(history),
    generations: generationsOf(history),
    continues: continuesOf(history),
  };
}
