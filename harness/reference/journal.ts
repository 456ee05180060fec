import type { Gone } from './feed.ts';

/**
 * A list that grows until it ends, and that any number of readers follow: each gets what is there,
 * then what comes. It keeps everything, so that a reader may begin anywhere.
 */
export class Journal<T> {
  #entries: readonly T[] = [];
  /** The entries as an array that only this journal writes to; null until it has made one. */
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

  /** Several at once: the list itself is taken where there was nothing before. */
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

  /** Tells whoever waits to look again. */
  wake(): void {
    if (this.#waiting === null) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const resolve of waiting) resolve();
  }

  /** Resolves when it has grown or ended. */
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

/** Reads a journal from its beginning, until it ends or the reader has gone. */
export class JournalReader<T> {
  readonly #journal: Journal<T>;
  readonly #gone: Gone;
  #next = 0;
  #isHeard = false;

  constructor(journal: Journal<T>, gone: Gone) {
    this.#journal = journal;
    this.#gone = gone;
  }

  /** Null where the next entry is still to come, undefined where none does. */
  next(): T | null | undefined {
    if (this.#gone.aborted) return undefined;
    const { entries, ended } = this.#journal;
    if (this.#next < entries.length) return entries[this.#next++];
    return ended ? undefined : null;
  }

  /** Resolves when there may be another entry, or the reader has gone. */
  more(): Promise<void> {
    if (!this.#isHeard) this.#gone.addEventListener('abort', () => this.#journal.wake());
    this.#isHeard = true;
    return this.#journal.changed();
  }
}
