/**
 * A list that grows until it ends, and that any number of readers follow: each gets what is there,
 * then what comes. It keeps everything, so that a reader may begin anywhere.
 */
export class Journal<T> {
  readonly #entries: T[] = [];
  #ended = false;
  #wake: (() => void)[] = [];

  get entries(): readonly T[] {
    return this.#entries;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(entry: T): void {
    if (this.#ended) return;
    this.#entries.push(entry);
    this.#wakeAll();
  }

  end(): void {
    this.#ended = true;
    this.#wakeAll();
  }

  /** The entries from `index` on, live, until the journal ends or the reader has gone. */
  async *follow(gone: AbortSignal, index = 0): AsyncGenerator<T> {
    const wake = () => this.#wakeAll();
    gone.addEventListener('abort', wake);
    try {
      for (let i = index; !gone.aborted; ) {
        const entry = this.#entries[i];
        if (entry !== undefined) {
          i++;
          yield entry;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => this.#wake.push(resolve));
        }
      }
    } finally {
      gone.removeEventListener('abort', wake);
    }
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}
