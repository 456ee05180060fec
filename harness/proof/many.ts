import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '../kernel/core/index.ts';
import {
  type Check,
  checksWith,
  LiveRun,
  ownSignal,
  Recorder,
  type Sequence,
  scenariosAt,
  scenariosCalled,
  selectedIds,
  Traffic,
  type TriedMutations,
  type TriedTransients,
  tryMutations,
  tryTransients,
  verdictsOf,
} from '../kernel/engine/index.ts';
import type { Target } from '../kernel/targets/index.ts';
import { Room } from './admission.ts';
import type { Verdicts } from './matrix.ts';

/** One of many targets. */
export interface OneOfMany {
  readonly target: Target;
  /** Ids of the checks to judge it by; null: those of a whole run. */
  readonly selected: readonly string[] | null;
  /** Default: that of all. */
  readonly seed?: number;
  readonly sequence?: Sequence;
  /** Names of scenarios that are run whether or not one of the checks needs them. */
  readonly besides?: readonly string[];
}

interface ManyOptions {
  readonly seed: number;
  /** Targets that are called at once; one that only keeps us waiting is not counted. */
  readonly window: number;
  readonly signal?: AbortSignal;
}

/**
 * Judges many targets in this thread and gives the verdicts on each, in order. For gateways that answer
 * at once, as those of a proof: an answer that takes long to judge keeps the others waiting.
 */
export async function verdictsOnMany(
  many: readonly OneOfMany[],
  { window, ...common }: ManyOptions,
): Promise<readonly Verdicts[]> {
  const room = new Room(window);
  return Promise.all(
    many.map(async (one) => {
      const { run, checks, end } = await liveRun(one, common);
      const besides = scenariosCalled(one.besides ?? []);
      const leave = await room.enter(() => run.scenariosDone);
      try {
        return await verdictsOf(run, checks, { besides });
      } finally {
        leave();
        end();
      }
    }),
  );
}

/**
 * Judges what a target answers with every transient failure that a response can have.
 *
 * @param selected ids of the checks to judge by; null: every one
 */
export async function judgeWithTransients(
  target: Target,
  selected: readonly string[] | null,
  options: Omit<ManyOptions, 'window'>,
): Promise<TriedTransients> {
  const { run, checks, end } = await liveRun({ target, selected }, options);
  return tryTransients(run, checks).finally(end);
}

/**
 * Judges what a target answers again and again, with answers changed by chance.
 *
 * @param selected ids of the checks to judge by; null: every one
 */
export async function judgeWithMutations(
  target: Target,
  selected: readonly string[] | null,
  rounds: number,
  options: Omit<ManyOptions, 'window'>,
): Promise<TriedMutations> {
  const { run, checks, end } = await liveRun({ target, selected }, options);
  return tryMutations(run, checks, rounds).finally(end);
}

async function liveRun(
  { target, selected, seed, sequence = {} }: OneOfMany,
  common: Omit<ManyOptions, 'window'>,
): Promise<{ readonly run: LiveRun; readonly checks: readonly Check[]; readonly end: () => void }> {
  const asked = selected === null ? selectedIds(loadCatalogue(), { target }) : new Set(selected);
  const checks = await checksWith(asked);
  const { stop, end } = ownSignal(common.signal);
  const run = new LiveRun({
    target,
    seed: seed ?? common.seed,
    runId: randomUUID(),
    sequence,
    stop,
    traffic: new Traffic(),
    recorder: new Recorder(null),
  });
  run.prioritise(checks.flatMap((check) => scenariosAt(check, target)));
  return { run, checks, end };
}
