import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { codeFile } from '../kernel/core/index.ts';
import type { FromJob, ToJob } from './job.ts';

const mostJobs = 4;
const jobModule = codeFile('harness/proof/job-main', '.js');

/** Processes that judge in parallel: one for each core, four at most. */
export function usualJobs(): number {
  return Math.min(availableParallelism(), mostJobs);
}

/** Asks a proving process. @throws {Error} where it breaks */
type AskJob = (task: ToJob) => Promise<Exclude<FromJob, { kind: 'broke' }>>;

/**
 * Does tasks in some processes, each one after the other, until there is none left.
 *
 * @param next the next task
 * @param how `here` does one in this process, where others are not worth it or cannot be; `there` has a process do it
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
  // Node 20 runs no TypeScript, so the sources are run where they are.
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
