import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { codeFile, loadCatalogue, type RunResult } from '../../core/index.ts';
import type { Progress } from '../progress.ts';
import type { RunOptions } from '../run.ts';
import { selectedIds } from '../selection.ts';

/** Options of a run that are sent to another thread. The others become messages between the threads. */
export type SentOptions = Omit<RunOptions, 'signal' | 'onProgress' | 'onUnrecorded'>;

export type ToWorker =
  | { readonly kind: 'run'; readonly options: SentOptions }
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'unrecorded'; readonly why: string }
  | { readonly kind: 'done'; readonly result: RunResult }
  | { readonly kind: 'broke'; readonly error: unknown };

const module = codeFile('harness/kernel/engine/threads/run-worker-main', '.js');

/** More than any run needs. A run that exceeds it ends its thread, and no other. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/**
 * Pool of threads that judge targets, one target at a time each, so that no gateway's answers delay another.
 * Threads keep the modules that they loaded: new ones are needed if the suites may have changed.
 */
export class RunWorkers {
  readonly #idle: RunWorker[] = [];

  /** Like `run`, in a separate thread. The caller limits the number of threads. */
  async run(options: RunOptions): Promise<RunResult> {
    const worker = this.#idle.pop() ?? new RunWorker();
    try {
      return await worker.run(options);
    } finally {
      this.#idle.push(worker);
    }
  }

  /** Ends all threads. To be called after the last run. */
  async end(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.end()));
  }
}

class RunWorker {
  #worker: Worker | null = null;

  /** Like `run`. One call at a time. */
  async run({ signal, onProgress, onUnrecorded, ...options }: RunOptions): Promise<RunResult> {
    // Filters that match nothing throw here, where the error keeps its class.
    selectedIds(loadCatalogue(), options);
    // Node 20 runs no TypeScript, so sources run in this thread.
    if (!existsSync(module)) {
      const { run } = await import('../run.ts');
      return run({ ...options, signal, onProgress, onUnrecorded });
    }
    const worker = this.#started();
    const tell = (message: ToWorker): void => worker.postMessage(message);
    const stop = (): void => tell({ kind: 'stop' });
    tell({ kind: 'run', options });
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      return await new Promise<RunResult>((resolve, reject) => {
        worker.removeAllListeners();
        worker.on('message', (message: FromWorker) => {
          if (message.kind === 'progress') onProgress?.(message.progress);
          else if (message.kind === 'unrecorded') onUnrecorded?.(message.why);
          else if (message.kind === 'done') resolve(message.result);
          else reject(message.error);
        });
        worker.on('error', reject);
        worker.on('exit', (code) => reject(new Error(`A judging thread ended with ${code}`)));
      });
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async end(): Promise<void> {
    this.#worker?.removeAllListeners();
    await this.#worker?.terminate();
    this.#worker = null;
  }

  #started(): Worker {
    this.#worker ??= new Worker(module, { execArgv: [], resourceLimits });
    return this.#worker;
  }
}
