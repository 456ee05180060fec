import type { Load, Plan } from '../../engine/index.ts';
import type { Target } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';
import type { Limits } from './budget.ts';

/** Load during a run, as the options set it. */
export interface LoadLimits {
  readonly inFlight: number;
  /** Maximum of generations in all rounds together; undefined derives it from the plan. */
  readonly generations: number | undefined;
}

interface Given extends Limits {
  readonly underLoad?: number;
  readonly loadGenerations?: number;
}

/** @throws {UsageError} when the options contradict one another */
export function loadLimits(given: Given): LoadLimits | null {
  const { underLoad: inFlight, loadGenerations, generations, tokens } = given;
  if (inFlight === undefined) {
    if (loadGenerations === undefined) return null;
    throw new UsageError('--load-generations bounds what --under-load N asks for: add that.');
  }
  if (tokens !== undefined) {
    throw new UsageError(
      '--tokens counts what the checks ask for, and not what is in flight beside: leave it out, or use ' +
        '--generations, which bounds both together.',
    );
  }
  if (generations === undefined) return { inFlight, generations: loadGenerations };
  // Unless the user says otherwise, the load gets half of the budget.
  const most = loadGenerations ?? Math.floor(generations / 2);
  if (most < generations) return { inFlight, generations: most };
  throw new UsageError(
    `--generations ${generations} bounds the run and its load together, and --load-generations ${most} leaves ` +
      'nothing of it for the run.',
  );
}

/** Returns the part of a budget that is left for the run besides its load. */
export function withoutLoad(limits: Limits, load: LoadLimits | null): Limits {
  const { generations } = limits;
  if (generations === undefined || load === null) return limits;
  return { ...limits, generations: generations - (load.generations ?? 0) };
}

/**
 * The load of one run, or of each round.
 *
 * @param plan of one run
 * @throws {UsageError} when there is nothing to ask for, or less than one generation for each round
 */
export async function loadOf(
  { inFlight, generations }: LoadLimits,
  plan: Pick<Plan, 'longestChain' | 'expectedGenerations'>,
  target: Target,
  rounds: number,
): Promise<Load> {
  const { kindsOfLoad, mostOfLoad } = await import('../../engine/load/load.ts');
  if (kindsOfLoad(target).length === 0) {
    throw new UsageError(
      '--under-load: no model of the target speaks a protocol with an output limit (Responses, Chat ' +
        'Completions, Messages, generative content), and others may come to any length.',
    );
  }
  const most =
    generations === undefined
      ? mostOfLoad(plan, target, inFlight)
      : Math.floor(generations / rounds);
  if (most < 1) {
    throw new UsageError(
      `--load-generations: ${generations} are fewer than one for each of ${rounds} rounds.`,
    );
  }
  return { inFlight, generations: most };
}
