import type { Gone } from './feed.ts';

/**
 * A list that grows until it ends, for any number of readers. Each reader gets the existing entries, then the new
 * ones. All entries are kept, so that a reader may start anywhere.
 */
export class Journal<T> {
  #entries: readonly T[] = [];
  /** The entries as an array that only this journal writes to; null until created. */
  #own: T[] | null = null;
  #ended = false;
  #waiting: (() => void)[] | null = null;

  get entries(): readonly T[] {
    return this.#entries;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(entry: T): void {
    if (this.#ended) return;
    this.#own ??= [...this.#entries];
    this.#own.push(entry);
    this.#entries = this.#own;
    this.wake();
  }

  /** Appends several entries. An empty journal adopts the array without a copy. */
  appendAll(entries: readonly T[]): void {
    if (this.#entries.length > 0) for (const entry of entries) this.append(entry);
    else if (!this.#ended) {
      this.#entries = entries;
      this.wake();
    }
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Makes waiting readers check again. */
  wake(): void {
    if (this.#waiting === null) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const resolve of waiting) resolve();
  }

  /** Resolves when the journal has grown or ended. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting ??= [];
      this.#waiting.push(resolve);
    });
  }

  reader(gone: Gone): JournalReader<T> {
    return new JournalReader(this, gone);
  }
}

/** Reads a journal from its start, until it ends or the reader disconnects. */
export class JournalReader<T> {
  readonly #journal: Journal<T>;
  readonly #gone: Gone;
  #next = 0;
  #isHeard = false;

  constructor(journal: Journal<T>, gone: Gone) {
    this.#journal = journal;
    this.#gone = gone;
  }

  /** Returns the next entry; null while it is pending, undefined at the end. */
  next(): T | null | undefined {
    if (this.#gone.aborted) return undefined;
    const { entries, ended } = this.#journal;
    if (this.#next < entries.length) return entries[this.#next++];
    return ended ? undefined : null;
  }

  /** Resolves when there may be another entry, or the reader has disconnected. */
  more(): Promise<void> {
    if (!this.#isHeard) this.#gone.addEventListener('abort', () => this.#journal.wake());
    this.#isHeard = true;
    return this.#journal.changed();
  }
}
