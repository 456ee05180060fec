import { judgeBatch } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import { inProcesses, usualJobs } from './processes.ts';
import type { Subject } from './subject.ts';

export interface JudgeOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Number of gateways that are started together. */
  readonly batch?: number | undefined;
  /** Maximum number of gateways that each process calls concurrently, without those that make it wait. */
  readonly window?: number | undefined;
  /** Number of processes that judge in parallel. Default: one per core, at most four. */
  readonly jobs?: number | undefined;
  /** Called after each batch. */
  readonly onJudged?: (done: number, of: number) => void;
}

/** Pace of a last judgement, with nothing beside it. */
export const quiet = { window: 1, jobs: 1 } as const;

/**
 * Judges many gateways in few processes, so that the suites, the catalogue and the schemas are loaded once per
 * batch. Batches are distributed over processes: a gateway takes as much of a core as the suite that calls it, and
 * gateways share no state. When interrupted by the signal, returns the results of complete batches.
 */
export async function judgeTargets(
  subjects: readonly Subject[],
  { seed, signal, batch = 210, window = 3, jobs = usualJobs(), onJudged }: JudgeOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const verdicts = new Map<string, Verdicts>();
  // Judging a few gateways takes less time than starting another process.
  const fewest = subjects.length > jobs * 8 ? jobs : 1;
  const batches = evenly(subjects, Math.max(Math.ceil(subjects.length / batch), fewest));
  const next = (): readonly Subject[] | undefined =>
    signal?.aborted === true ? undefined : batches.shift();
  const keep = (judged: ReadonlyMap<string, Verdicts>): void => {
    // Interrupted runs are partly undecided, and would look like unnoticed faults.
    if (signal?.aborted === true) return;
    for (const [id, one] of judged) verdicts.set(id, one);
    onJudged?.(verdicts.size, subjects.length);
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

/** Distributes every n-th to a part, because neighbours are similar and take about the same time. */
function evenly<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) =>
    all.filter((_, index) => index % parts === part),
  );
}
