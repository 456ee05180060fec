interface Waiting {
  readonly at: number;
  readonly resolve: () => void;
}

/**
 * Clock of a replay. It stands still while anything can happen at the current time, and then jumps to the earliest
 * time that is awaited.
 *
 * Recorded events thereby arrive in their recorded order, even in scenarios that race: one event at a time, and a
 * scenario has reacted to it before the next one.
 */
export class VirtualClock {
  #now = 0;
  /** In the order of the calls. */
  #waiting: Waiting[] = [];
  #ticking = false;

  /** Milliseconds since the start of the run. */
  now(): number {
    return this.#now;
  }

  /** Resolves at a time of the replay; for a past time, soon. */
  at(time: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: time, resolve });
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#ticking || this.#waiting.length === 0) return;
    this.#ticking = true;
    // All promises that can settle have done so by the next immediate.
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
