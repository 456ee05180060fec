import { LiveRun } from '../../engine/live-run.ts';
import { Recorder } from '../../engine/recordings/recorder.ts';
import { suiteChecks } from '../../engine/registry.ts';
import { ownSignal } from '../../engine/run.ts';
import { Traffic } from '../../engine/traffic.ts';
import { verdictsOf } from '../../engine/verdicts.ts';
import { referenceTarget } from '../../target/reference.ts';
import { together } from '../planting.ts';
import { chronicled } from './chronicle.ts';
import type { HistoryFault } from './history-fault.ts';

/**
 * How often a whole run of the suite brings each fault about, where it is watched and not planted: one that is never
 * brought about cannot be seen.
 */
export async function metByFixed(
  faults: readonly HistoryFault[],
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const met = new Map(faults.map(({ id }) => [id, 0]));
  const paces = new Set(faults.map(({ situation: { handlingMs = 0 } }) => handlingMs));
  for (const handlingMs of paces) {
    const own = faults.filter(({ situation }) => (situation.handlingMs ?? 0) === handlingMs);
    const override = chronicled(
      (seen) =>
        together(
          ...own.map(({ id, situation, wrong }) => {
            const is = situation.when(seen);
            const watched = (...given: Parameters<typeof is>): false => {
              if (is(...given)) met.set(id, (met.get(id) ?? 0) + 1);
              return false;
            };
            return wrong.override(watched, seen);
          }),
        ),
      handlingMs,
    );
    const defect = { id: 'watched', what: 'It is watched.', override };
    const { target, close } = await referenceTarget({ defect });
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
