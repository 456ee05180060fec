interface Waiting {
  readonly at: number;
  readonly resolve: () => void;
}

/**
 * The time of a run that is judged again. It stands still while anything can still happen at this
 * moment, and then jumps to the earliest moment that is waited for.
 *
 * So what was recorded comes in the order in which it came, also in scenarios that race: one thing at
 * a time, and what a scenario does at it is done before the next.
 */
export class VirtualClock {
  #now = 0;
  /** In the order of asking. */
  #waiting: Waiting[] = [];
  #ticking = false;

  /** Milliseconds since the start of the run. */
  now(): number {
    return this.#now;
  }

  /** Resolves when it is so late; for what is past already, soon. */
  at(time: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: time, resolve });
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#ticking || this.#waiting.length === 0) return;
    this.#ticking = true;
    // All promises that can settle have done so when an immediate is called.
    setImmediate(() => {
      this.#ticking = false;
      const next = this.#waiting.reduce((first, one) => (one.at < first.at ? one : first));
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.resolve();
      this.#tick();
    });
  }
}
