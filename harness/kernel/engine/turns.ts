import { setImmediate as turn } from 'node:timers/promises';

/** Keeps long judging from blocking the event loop, and so answers, clients and timers. */
export class Turns {
  readonly #longestMs: number;
  #since = performance.now();

  /** @param longestMs milliseconds of judging between two turns of the event loop */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** True if the last turn was `longestMs` ago. A promise for each judgement of a run takes seconds. */
  get isDue(): boolean {
    return performance.now() - this.#since > this.#longestMs;
  }

  /** Resolves at the next turn of the event loop if the last one is `longestMs` ago, or at once. */
  async giveWay(): Promise<void> {
    if (!this.isDue) return;
    await turn();
    this.#since = performance.now();
  }
}
