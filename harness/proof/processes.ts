import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { codeFile } from '../kernel/core/index.ts';
import type { FromJob, ToJob } from './job.ts';

const mostJobs = 4;
const jobModule = codeFile('harness/proof/job-main', '.js');

/** Returns the number of processes that judge in parallel: one per core, at most four. */
export function usualJobs(): number {
  return Math.min(availableParallelism(), mostJobs);
}

/** Sends a task to a proving process. @throws {Error} if the process fails */
type AskJob = (task: ToJob) => Promise<Exclude<FromJob, { kind: 'broke' }>>;

/**
 * Performs tasks in several processes, each process one after another, until none is left.
 *
 * @param next returns the next task
 * @param how `here` performs a task in this process, if others are not worthwhile or not possible; `there` performs
 * it in another process
 */
export async function inProcesses<Task>(
  next: () => Task | undefined,
  how: {
    readonly jobs: number;
    readonly signal: AbortSignal | undefined;
    readonly here: (task: Task) => Promise<void>;
    readonly there: (task: Task, ask: AskJob) => Promise<void>;
  },
): Promise<void> {
  // Node 20 runs no TypeScript, so sources are run in this process.
  if (how.jobs < 2 || !existsSync(jobModule)) {
    for (let task = next(); task !== undefined; task = next()) await how.here(task);
    return;
  }
  await Promise.all(
    Array.from({ length: how.jobs }, async () => {
      const job = startJob(how.signal);
      try {
        for (let task = next(); task !== undefined; task = next()) await how.there(task, job.ask);
      } finally {
        job.end();
      }
    }),
  );
}

interface Job {
  readonly ask: AskJob;
  end(): void;
}

function startJob(signal: AbortSignal | undefined): Job {
  const child = fork(jobModule, { serialization: 'advanced' });
  const stop = (): void => tell(child, { kind: 'stop' });
  signal?.addEventListener('abort', stop);
  return {
    async ask(task) {
      tell(child, task);
      const answer = await answerOf(child);
      if (answer.kind !== 'broke') return answer;
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
    // The exit event covers a process that has ended.
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
