import { randomUUID } from 'node:crypto';
import { type Explored, type ExploreOptions, explore, recordExploration } from '../index.ts';

type Bounds = Parameters<typeof recordExploration>[2];

interface ExploredNow {
  readonly explored: Explored;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly incomplete: string | null;
  /** Number of histories missing in the recording because it reached its maximum size. */
  readonly leftOut: number;
  readonly unrecorded: string | null;
}

/** Explores within bounds, and records the exploration. @param file undefined for no recording */
export async function exploreAndRecord(
  options: Omit<ExploreOptions, keyof Bounds | 'ms' | 'runId' | 'recorder' | 'onPerformed'>,
  bounds: Bounds,
  file: string | undefined,
): Promise<ExploredNow> {
  const began = Date.now();
  const startedAt = new Date(began).toISOString();
  // A gateway's ledger may also hold an earlier exploration with the same seed, which the run id distinguishes.
  const runId = randomUUID();
  const { target, seed } = options;
  const recorder = recordExploration(file, { target, seed, runId, startedAt }, bounds);
  // A second Ctrl-C ends the process at once, but the recording must remain.
  const close = (): void => recorder.close();
  process.once('exit', close);
  try {
    const { minutes, ...limits } = bounds;
    const explored = await explore({
      ...{ ...options, ...limits, ms: minutes * 60_000, recorder, runId },
      onPerformed: (performed, { matters }) => recorder.ended(performed, matters),
    });
    const incomplete = explored.givenUp ?? (options.signal.aborted ? 'it was interrupted' : null);
    const how = { incomplete, durationMs: Date.now() - began };
    recorder.end(explored, how);
    const { problem, leftOut } = recorder;
    const unrecorded = problem === null ? null : `--record ${file} is not whole: ${problem}`;
    return { explored, startedAt, ...how, leftOut, unrecorded };
  } finally {
    process.off('exit', close);
    close();
  }
}
