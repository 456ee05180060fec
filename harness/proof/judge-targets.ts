import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { FromJob, ToJob } from './job.ts';
import { judgeBatch } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import type { Subject } from './subject.ts';

export interface JudgeOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Gateways that are started together. */
  readonly batch?: number | undefined;
  /** Gateways that each process calls at once, beside those that keep it waiting. */
  readonly window?: number | undefined;
  /** Processes that judge beside one another. Default: one for each core, four at most. */
  readonly jobs?: number | undefined;
  readonly onJudged?: (done: number) => void;
}

const mostJobs = 4;
const jobModule = join(import.meta.dirname, 'job-main.js');

/**
 * Judges many gateways in few processes, so that the suites, the catalogue and the schemas are loaded
 * once for a whole batch. Batches are spread over processes: a gateway takes
 * as much of a core as the suite that calls it, and gateways share nothing. Interrupted by the signal, it
 * gives what whole batches came to.
 */
export async function judgeTargets(
  subjects: readonly Subject[],
  {
    seed,
    signal,
    batch = 210,
    window = 3,
    jobs = Math.min(availableParallelism(), mostJobs),
    onJudged,
  }: JudgeOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const verdicts = new Map<string, Verdicts>();
  // A few gateways are judged sooner than another process starts.
  const fewest = subjects.length > jobs * 8 ? jobs : 1;
  const batches = evenly(subjects, Math.max(Math.ceil(subjects.length / batch), fewest));
  const next = (): readonly Subject[] | undefined =>
    signal?.aborted === true ? undefined : batches.shift();
  const keep = (judged: ReadonlyMap<string, Verdicts>): void => {
    // What was interrupted is undecided in part, and would look like a fault that nobody noticed.
    if (signal?.aborted === true) return;
    for (const [id, one] of judged) verdicts.set(id, one);
    onJudged?.(verdicts.size);
  };
  const options = { seed, window };
  const processes = Math.min(jobs, batches.length);
  // Node 20 runs no TypeScript, so the sources are run where they are.
  if (processes < 2 || !existsSync(jobModule)) {
    for (let some = next(); some !== undefined; some = next()) {
      keep(await judgeBatch(some, { ...options, ...(signal === undefined ? {} : { signal }) }));
    }
    return verdicts;
  }
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const job = startJob(signal);
      try {
        for (let some = next(); some !== undefined; some = next()) {
          keep(await job.judge({ kind: 'batch', subjects: some, options }));
        }
      } finally {
        job.end();
      }
    }),
  );
  return verdicts;
}

/** Every n-th: neighbours are alike, and take alike long. */
function evenly<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) =>
    all.filter((_, index) => index % parts === part),
  );
}

interface Job {
  judge(batch: ToJob): Promise<ReadonlyMap<string, Verdicts>>;
  end(): void;
}

function startJob(signal: AbortSignal | undefined): Job {
  const child = fork(jobModule, { serialization: 'advanced' });
  const stop = (): void => tell(child, { kind: 'stop' });
  signal?.addEventListener('abort', stop);
  return {
    async judge(batch) {
      tell(child, batch);
      const answer = await answerOf(child);
      if (answer.kind === 'judged') return answer.verdicts;
      throw new Error(`A proving process broke: ${answer.stack}`);
    },
    end() {
      signal?.removeEventListener('abort', stop);
      if (child.connected) child.disconnect();
    },
  };
}

function tell(child: ChildProcess, message: ToJob): void {
  child.send(message, () => {
    // A process that has ended says so by its end.
  });
}

async function answerOf(child: ChildProcess): Promise<FromJob> {
  const done = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: done.signal }).then(([answer]): FromJob => answer),
      once(child, 'exit', { signal: done.signal }).then(([code, by]): FromJob => {
        const how = by === null ? `with exit code ${code}` : `by ${by}`;
        return { kind: 'broke', stack: `it ended ${how}` };
      }),
    ]);
  } finally {
    done.abort();
  }
}
