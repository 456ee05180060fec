import { judgeBatch } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import { inProcesses, usualJobs } from './processes.ts';
import type { Subject } from './subject.ts';

export interface JudgeOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Gateways that are started together. */
  readonly batch?: number | undefined;
  /** Gateways that each process calls at once; those that keep it waiting do not count. */
  readonly window?: number | undefined;
  /** Processes that judge in parallel. Default: one for each core, four at most. */
  readonly jobs?: number | undefined;
  readonly onJudged?: (done: number) => void;
}

/**
 * Judges many gateways in few processes, so that the suites, the catalogue and the schemas are loaded
 * once for a whole batch. Batches are spread over processes: a gateway takes
 * as much of a core as the suite that calls it, and gateways share nothing. Interrupted by the signal, it
 * gives what whole batches came to.
 */
export async function judgeTargets(
  subjects: readonly Subject[],
  { seed, signal, batch = 210, window = 3, jobs = usualJobs(), onJudged }: JudgeOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const verdicts = new Map<string, Verdicts>();
  // A few gateways are judged sooner than another process starts.
  const fewest = subjects.length > jobs * 8 ? jobs : 1;
  const batches = evenly(subjects, Math.max(Math.ceil(subjects.length / batch), fewest));
  const next = (): readonly Subject[] | undefined =>
    signal?.aborted === true ? undefined : batches.shift();
  const keep = (judged: ReadonlyMap<string, Verdicts>): void => {
    // Interrupted runs are partly undecided, and would look like faults that nobody noticed.
    if (signal?.aborted === true) return;
    for (const [id, one] of judged) verdicts.set(id, one);
    onJudged?.(verdicts.size);
  };
  const options = { seed, window };
  await inProcesses(next, {
    ...{ jobs: Math.min(jobs, batches.length), signal },
    here: async (some) =>
      keep(await judgeBatch(some, { ...options, ...(signal === undefined ? {} : { signal }) })),
    there: async (some, ask) => {
      const answer = await ask({ kind: 'batch', subjects: some, options });
      if (answer.kind === 'judged') keep(answer.verdicts);
    },
  });
  return verdicts;
}

/** Every n-th: neighbours are alike, and take alike long. */
function evenly<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) =>
    all.filter((_, index) => index % parts === part),
  );
}
