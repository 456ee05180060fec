/** Milliseconds between two polls for progress. */
const lookEvery = 200;

/** Number of polls without progress after which a visitor counts as only waiting. */
const mostIdleLooks = 5;

/** Maximum number of visitors per busy one, because each takes memory. */
const mostForEach = 5;

interface Visitor {
  /** Counter that increases with all received data. */
  readonly progress: () => number;
  seen: number;
  idleLooks: number;
}

/**
 * Admits a limited number of visitors at a time, in order of arrival. A visitor that only waits, for example for an
 * answer that never arrives, uses no processor time, and makes room for another.
 */
export class Room {
  readonly #busyAtOnce: number;
  readonly #inside = new Set<Visitor>();
  readonly #waiting: (() => void)[] = [];
  #looking: NodeJS.Timeout | null = null;

  constructor(busyAtOnce: number) {
    this.#busyAtOnce = busyAtOnce;
  }

  /**
   * Resolves when there is room.
   *
   * @param progress counter that increases with all received data
   * @returns function to call at the end
   */
  async enter(progress: () => number): Promise<() => void> {
    const visitor = { progress, seen: -1, idleLooks: 0 };
    const admitted = new Promise<void>((admit) => {
      this.#waiting.push(() => {
        this.#inside.add(visitor);
        admit();
      });
    });
    this.#admit();
    await admitted;
    return () => {
      this.#inside.delete(visitor);
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#isRoom()) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) {
      this.#looking ??= setInterval(() => this.#look(), lookEvery);
    } else if (this.#looking !== null) {
      clearInterval(this.#looking);
      this.#looking = null;
    }
  }

  #isRoom(): boolean {
    if (this.#waiting.length === 0) return false;
    const busy = [...this.#inside].filter(({ idleLooks }) => idleLooks < mostIdleLooks);
    return busy.length < this.#busyAtOnce && this.#inside.size < this.#busyAtOnce * mostForEach;
  }

  /** Counts polls rather than time: on a busy machine, a visitor without progress may not have been waiting. */
  #look(): void {
    for (const visitor of this.#inside) {
      const now = visitor.progress();
      visitor.idleLooks = now === visitor.seen ? visitor.idleLooks + 1 : 0;
      visitor.seen = now;
    }
    this.#admit();
  }
}
