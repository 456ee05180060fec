import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';

export interface LimiterOptions {
  /** Slots: exchanges under way at once. */
  readonly concurrency: number;
  /** Null: as fast as the slots allow. */
  readonly requestsPerSecond: number | null;
  /** When aborted, nothing waits any more: tasks begin at once, and see for themselves. */
  readonly stop?: AbortSignal;
}

/**
 * Keeps within what a target may be asked. One for each target.
 *
 * A slot is held from the start of an exchange to its end. A socket is the exception to consider: a
 * scenario that keeps one open while it sends other requests waits for itself when no further slot
 * is free, so give its slot back as soon as the connection stands.
 */
export class Limiter {
  readonly #queue: PQueue;
  readonly #stop: AbortSignal | null;

  constructor({ concurrency, requestsPerSecond, stop }: LimiterOptions) {
    this.#stop = stop ?? null;
    // All that waits listens to it; that is no leak.
    if (stop !== undefined) setMaxListeners(0, stop);
    this.#queue = new PQueue({
      concurrency,
      // One start in each small interval, rather than a burst of them every second.
      ...(requestsPerSecond === null
        ? {}
        : { interval: 1000 / requestsPerSecond, intervalCap: 1, strict: true }),
    });
  }

  /**
   * Runs a task when a slot is free; among those that wait, the highest priority first, then in
   * order. The slot is free again when the task settles or has called `release`.
   */
  run<Result>(priority: number, task: (release: () => void) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let begun = false;
      const begin = (release: () => void): Promise<void> => {
        begun = true;
        this.#stop?.removeEventListener('abort', unhindered);
        return task(release).then(resolve, reject);
      };
      const unhindered = (): void => void begin(() => undefined);
      const inSlot = (): Promise<void> =>
        new Promise((release) => {
          if (begun) release();
          else begin(release).finally(release);
        });
      if (this.#stop?.aborted === true) {
        unhindered();
        return;
      }
      this.#stop?.addEventListener('abort', unhindered, { once: true });
      this.#queue.add(inSlot, { priority }).catch(reject);
    });
  }
}
