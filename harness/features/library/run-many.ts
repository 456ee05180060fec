import { loadCatalogue, type RunResult } from '../../kernel/core/index.ts';
import { type Progress, type RunOptions, RunWorkers } from '../../kernel/engine/index.ts';
import type { Target } from '../../kernel/targets/index.ts';

export interface RunManyOptions
  extends Omit<RunOptions, 'target' | 'recording' | 'onProgress' | 'only'> {
  readonly targets: Iterable<Target>;
  /** Number of targets that are judged at once, each in a separate thread. Default: 4. */
  readonly atOnce?: number;
  /** Returns the file for the exchanges of a target, or undefined for none. */
  readonly recording?: (target: Target) => string | undefined;
  readonly onProgress?: (target: Target, progress: Progress) => void;
}

/** Outcome of one of many targets: a result, or the error that prevented one. */
export type JudgedTarget =
  | { readonly target: Target; readonly result: RunResult; readonly error: null }
  | { readonly target: Target; readonly result: null; readonly error: Error };

/**
 * Judges many gateways, some concurrently, and yields each result as soon as it is available. An error of one
 * target does not affect the others. A consumer that stops iterating interrupts the runs in flight.
 *
 * @throws {UnknownRequirement} if a filter matches nothing
 */
export async function* runMany({
  targets,
  atOnce = 4,
  recording,
  onProgress,
  signal,
  ...options
}: RunManyOptions): AsyncGenerator<JudgedTarget, void, undefined> {
  loadCatalogue().select(options.filters ?? []);
  const workers = new RunWorkers();
  const left = new AbortController();
  const stop = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]);
  const judge = async (target: Target): Promise<JudgedTarget> => {
    try {
      const result = await workers.run({
        ...options,
        target,
        signal: stop,
        recording: recording?.(target),
        onProgress: (progress) => onProgress?.(target, progress),
      });
      return { target, result, error: null };
    } catch (error) {
      return {
        target,
        result: null,
        error: error instanceof Error ? error : new Error(String(error)),
      };
    }
  };
  const running: Running = new Map();
  let started = 0;
  try {
    for (const target of targets) {
      if (stop.aborted) break;
      const number = started++;
      running.set(
        number,
        judge(target).then((judged) => ({ number, judged })),
      );
      if (running.size < atOnce) continue;
      yield await next(running);
    }
    while (running.size > 0) yield await next(running);
  } finally {
    left.abort();
    await Promise.all(running.values());
    await workers.end();
  }
}

type Running = Map<number, Promise<{ readonly number: number; readonly judged: JudgedTarget }>>;

/** Returns the first that is done. */
async function next(running: Running): Promise<JudgedTarget> {
  const { number, judged } = await Promise.race(running.values());
  running.delete(number);
  return judged;
}
