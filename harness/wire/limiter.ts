import PQueue from 'p-queue';

export interface LimiterOptions {
  /** Slots: exchanges under way at once. */
  readonly concurrency: number;
  /** Null: as fast as the slots allow. */
  readonly requestsPerSecond: number | null;
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

  constructor({ concurrency, requestsPerSecond }: LimiterOptions) {
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
      const inSlot = (): Promise<void> =>
        new Promise((release) => {
          task(release).then(resolve, reject).finally(release);
        });
      this.#queue.add(inSlot, { priority }).catch(reject);
    });
  }
}
