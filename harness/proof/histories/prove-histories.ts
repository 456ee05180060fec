import { actsOf, worldOf } from '../../features/explore/index.ts';
import { LiveRun, ownSignal, suiteChecks, Traffic, verdictsOf } from '../../kernel/engine/index.ts';
import { Recorder } from '../../kernel/recordings/index.ts';
import { judgeTargets } from '../judge-targets.ts';
import { together } from '../planting.ts';
import { inProcesses, usualJobs } from '../processes.ts';
import { sound, startSubject } from '../subject.ts';
import {
  type Exploration,
  type ExploredGateway,
  exploreGateway,
  type FoundIn,
} from './explore-gateway.ts';
import type { HistoryFault } from './history-fault.ts';
import { historyOf } from './witness.ts';

export interface Exposed {
  readonly id: string;
  readonly acts: number;
  /** Find per seed; null if it was not found. */
  readonly found: readonly (Found | null)[];
  /** Checks of a fixed run that fail; null if there was no fixed run. */
  readonly seenBy: readonly string[] | null;
}

/** First find with one seed, with its shortest history. */
export type Found = Omit<FoundIn, 'actual'>;

interface ProveHistoriesOptions {
  readonly seeds: readonly number[];
  /** True to judge each fault by the whole suite, too. */
  readonly fixed: boolean;
  readonly jobs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onDone?: (done: number, of: number) => void;
}

/** Maximum effort of exploring one fault with one seed. */
const bounds = { histories: 250, generations: 4_000, ms: 240_000 } as const;

/** Maximum number of acts, beyond those of its definition, of a sufficiently short find. */
export const mostMoreActs = 2;

/** Explores gateways with one fault each, and returns the effort to find it. */
export async function proveHistories(
  faults: readonly HistoryFault[],
  { seeds, fixed, jobs, signal, onDone }: ProveHistoriesOptions,
): Promise<readonly Exposed[]> {
  const tasks = faults.flatMap(({ id }) => seeds.map((seed) => ({ id, seed })));
  const of = tasks.length;
  const came = new Map<string, (Found | null)[]>();
  let done = 0;
  const explored = await exploreAll(
    tasks.map(({ id, seed }) => ({
      ...{ gateway: { kind: 'history', id }, seed, ...bounds, goesOn: false },
    })),
    { jobs, signal, onDone: () => onDone?.(++done, of) },
  );
  for (const [index, { id }] of tasks.entries()) {
    const one = explored[index];
    if (one === undefined) continue;
    came.set(id, [...(came.get(id) ?? []), shortestOf(one)]);
  }
  const seen = fixed ? await seenByFixed(faults, { jobs, signal }) : null;
  const { target, close } = await startSubject(sound);
  await close();
  const world = worldOf(target);
  return faults.map(({ id, witness }) => ({
    ...{ id, acts: actsOf(historyOf(witness, world)).length, found: came.get(id) ?? [] },
    seenBy: seen?.get(id) ?? null,
  }));
}

/**
 * Explores gateways in several processes. Returns the results in order, without explorations that had not started
 * when it was interrupted.
 */
export async function exploreAll(
  all: readonly Exploration[],
  {
    // Explorations wait half of the time.
    jobs = 2 * usualJobs(),
    signal,
    onDone,
  }: { jobs?: number | undefined; signal: AbortSignal; onDone?: (one: ExploredGateway) => void },
): Promise<readonly (ExploredGateway | undefined)[]> {
  const results: (ExploredGateway | undefined)[] = all.map(() => undefined);
  const queue = [...all.entries()];
  const keep = (index: number, one: ExploredGateway): void => {
    results[index] = one;
    onDone?.(one);
  };
  await inProcesses(() => (signal.aborted ? undefined : queue.shift()), {
    ...{ jobs: Math.min(jobs, all.length), signal },
    here: async ([index, one]) => keep(index, await exploreGateway(one, signal)),
    there: async ([index, one], ask) => {
      const answer = await ask({ kind: 'explore', one });
      if (answer.kind === 'explored') keep(index, answer.explored);
    },
  });
  return results;
}

/** Returns the find with the fewest acts, which is the clearest of several. */
function shortestOf({ finds }: ExploredGateway): Found | null {
  const [first] = finds;
  const [shortest] = finds.toSorted((one, other) => one.acts - other.acts);
  if (first === undefined || shortest === undefined) return null;
  const { acts, clause, kind } = shortest;
  const { history, generations } = first;
  return { history, generations, acts, clause, kind, shortest: shortest.shortest };
}

/** Returns the failed checks of the suite for each fault; none for a fault that the run does not trigger. */
async function seenByFixed(
  faults: readonly HistoryFault[],
  { jobs, signal }: Pick<ProveHistoriesOptions, 'jobs' | 'signal'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const met = await metByFixed(faults, { seed: 1, signal });
  const subjects = faults
    .filter(({ id }) => met.get(id) !== 0)
    .map(({ id }) => ({ id, gateway: { kind: 'history', id } as const, selected: null }));
  const judged = await judgeTargets(subjects, { seed: 1, jobs, signal, window: 1 });
  return new Map(
    faults.map(({ id }) => [
      id,
      [...(judged.get(id) ?? [])]
        // An undecided check also prevents a conformant run.
        .filter(([, { state }]) => ['fail', 'error', 'inconclusive'].includes(state))
        .map(([check]) => check),
    ]),
  );
}

/** True if most seeds found the fault, and shortened it sufficiently. */
export function isExposed({ acts, found }: Pick<Exposed, 'acts' | 'found'>): boolean {
  const short = found.filter((one) => one !== null && one.acts <= acts + mostMoreActs);
  return 2 * short.length > found.length;
}

/** True if no check of a fixed run notices the fault. */
export function isUnseen({ seenBy }: Pick<Exposed, 'seenBy'>): boolean {
  return seenBy !== null && seenBy.length === 0;
}

/**
 * Returns how many times a whole run of the suite meets each fault. The faults are observed rather than planted. A
 * fault that is never met cannot be noticed.
 */
async function metByFixed(
  faults: readonly HistoryFault[],
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const met = new Map(faults.map(({ id }) => [id, 0]));
  for (const stage of new Set(faults.map((one) => one.stage))) {
    const own = faults.filter((one) => one.stage === stage);
    const { target, close } = await stage.start((seen) =>
      together(
        ...own.map(({ id, watched }) => watched(() => met.set(id, (met.get(id) ?? 0) + 1))(seen)),
      ),
    );
    const { stop, end } = ownSignal(signal);
    const run = new LiveRun({
      ...{ target, seed, runId: 'watched', sequence: {}, stop },
      ...{ traffic: new Traffic(), recorder: new Recorder(null) },
    });
    try {
      await verdictsOf(run, await suiteChecks());
    } finally {
      end();
      await close();
    }
  }
  return met;
}
