/** Between two looks whether anything has come, in milliseconds. */
const lookEvery = 200;

/** Number of polls without progress after which a visitor counts as only waiting. */
const mostIdleLooks = 5;

/** For each that may be busy, so many may be there in all: what they hold takes memory. */
const mostForEach = 5;

interface Visitor {
  /** Counts up with everything that comes. */
  readonly progress: () => number;
  seen: number;
  idleLooks: number;
}

/**
 * Lets so many in at once, in the order in which they came. Who only waits, as for the answer of a
 * gateway that never comes, takes nobody's time, and makes room for another.
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
   * @param progress counts up with everything that comes
   * @returns to be called at the end
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

  /** By looks and not by the clock: where nobody got to do anything, nobody was waiting either. */
  #look(): void {
    for (const visitor of this.#inside) {
      const now = visitor.progress();
      visitor.idleLooks = now === visitor.seen ? visitor.idleLooks + 1 : 0;
      visitor.seen = now;
    }
    this.#admit();
  }
}
