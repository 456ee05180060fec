/** Longest wait before the time is looked at again, in milliseconds. */
const sliceMs = 1_000;

/**
 * Calls a function once this process has waited for so many milliseconds. The time in which a machine sleeps or a
 * process is stopped does not count, because an answer that has come meanwhile is not read.
 */
export class Deadline {
  readonly #passed: () => void;
  #leftMs: number;
  #lookedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, passed: () => void) {
    this.#leftMs = ms;
    this.#passed = passed;
    this.#wait();
  }

  /** To be called as data arrives, because timers fire late while much is read. */
  look(): void {
    const now = performance.now();
    const gap = now - this.#lookedAt;
    this.#lookedAt = now;
    // The timer of a process that runs is never so late. A little counts, so that there is always an end.
    this.#leftMs -= gap > 2 * sliceMs ? sliceMs / 10 : gap;
    if (this.#leftMs > 0) return;
    this.clear();
    this.#passed();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Number.POSITIVE_INFINITY;
  }

  #wait(): void {
    const tick = (): void => {
      this.look();
      if (this.#leftMs < Number.POSITIVE_INFINITY) this.#wait();
    };
    this.#timer = setTimeout(tick, Math.max(1, Math.min(this.#leftMs, sliceMs)));
  }
}
