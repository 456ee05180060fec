import {
  LiveRun,
  ownSignal,
  Recorder,
  suiteChecks,
  Traffic,
  verdictsOf,
} from '../../kernel/engine/index.ts';
import { together } from '../planting.ts';
import type { HistoryFault } from './history-fault.ts';

/**
 * Returns how many times a whole run of the suite meets each fault. The faults are observed rather than planted. A
 * fault that is never met cannot be noticed.
 */
export async function metByFixed(
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
