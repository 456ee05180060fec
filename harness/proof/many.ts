import { randomUUID } from 'node:crypto';
import {
  type Check,
  designAt,
  headOf,
  LiveRun,
  ownSignal,
  type Scenario,
  type Sequence,
  scenariosAt,
  scenariosCalled,
  Traffic,
  verdictsOf,
  withPrerequisites,
} from '../kernel/engine/index.ts';
import { inWords, rowOf } from '../kernel/model/index.ts';
import { Recorder } from '../kernel/recordings/index.ts';
import type { Target } from '../kernel/targets/index.ts';
import { Room } from './admission.ts';
import type { Verdicts } from './matrix.ts';

export interface OneOfMany {
  readonly target: Target;
  /** Ids of the checks to judge by; null for those of a whole run. */
  readonly selected: readonly string[] | null;
  /** Default: the common seed. */
  readonly seed?: number;
  readonly sequence?: Sequence;
  /** True to try only the acts on stored responses that the checks judge, and their controls. */
  readonly ownActs?: boolean;
  /** Names of scenarios that are run even if no check needs them. */
  readonly besides?: readonly string[];
}

interface ManyOptions {
  readonly seed: number;
  /** Maximum number of targets that are called concurrently, without those that only wait. */
  readonly window: number;
  readonly signal?: AbortSignal;
  /** Counts the requests. Default: nobody looks at the counts. */
  readonly traffic?: Traffic;
}

/**
 * Judges many targets in this thread, and returns the verdicts on each, in order. Intended for gateways that answer
 * at once, as in a proof: judging a long answer delays the others.
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
 * Returns the target with the acts on stored responses that these checks judge, and their controls, instead of some
 * thousand. A check that judges acts of several rows needs them all.
 */
function withOwnActs(target: Target, checks: readonly Check[]): Target {
  const { cells } = designAt(target);
  const rows = new Set(cells.map(rowOf));
  const needsAll = ({ id, everywhere }: Check, on: readonly Scenario[]): boolean =>
    !rows.has(id) &&
    everywhere === undefined &&
    [...withPrerequisites(on)].some(({ name }) => name.startsWith('points/'));
  if (checks.some((check) => needsAll(check, scenariosAt(check, target)))) return target;
  const ids = new Set<string | null>(checks.map(({ id }) => id));
  const own = cells.filter(
    (cell) => ids.has(rowOf(cell)) || (cell.reason === 'second-key' && cell.operation === 'lookup'),
  );
  return { ...target, onlyCells: new Set(own.map(inWords)) };
}

export async function liveRun(
  { target: whole, selected, seed, sequence = {}, ownActs = false }: OneOfMany,
  common: Omit<ManyOptions, 'window'>,
): Promise<{ readonly run: LiveRun; readonly checks: readonly Check[]; readonly end: () => void }> {
  const { checks } = await headOf({
    ...{ side: 'gateway', seed: common.seed, startedAt: '' },
    ...(selected === null ? { target: whole } : { only: { ids: selected, others: '' } }),
  });
  const target = ownActs ? withOwnActs(whole, checks) : whole;
  const { stop, end } = ownSignal(common.signal);
  const run = new LiveRun({
    target,
    seed: seed ?? common.seed,
    runId: randomUUID(),
    sequence,
    stop,
    traffic: common.traffic ?? new Traffic(),
    recorder: new Recorder(null),
  });
  run.prioritise(checks.flatMap((check) => scenariosAt(check, target)));
  return { run, checks, end };
}
