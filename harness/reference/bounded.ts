/** Maximum number of entries, and approximate maximum of their total bytes. */
export interface Limits {
  readonly count: number;
  readonly bytes: number;
}

/** Limits of a gateway under judgement, which must not drop anything that a run may request. */
export const noLimits: Limits = {
  count: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

/** Map in insertion order. Drops the oldest entries when it exceeds its limits. */
export class Bounded<T, Key = string> {
  readonly #limits: Limits;
  readonly #dropped: (value: T) => void;
  readonly #entries = new Map<Key, { readonly value: T; bytes: number }>();
  /** Shared iterator: a new one would visit every deleted entry again. */
  #oldest = this.#entries.entries();
  #bytes = 0;

  /** @param dropped called for each entry that is dropped to make room */
  constructor(limits: Limits, dropped: (value: T) => void = () => undefined) {
    this.#limits = limits;
    this.#dropped = dropped;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /**
   * Adds an entry as the newest, replacing one with the same key. An entry that exceeds the limit by itself is not
   * kept.
   *
   * @param bytes approximate memory of the entry
   */
  put(key: Key, value: T, bytes: number): void {
    this.delete(key);
    if (bytes > this.#limits.bytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  /** Updates the size of an entry, which keeps its position. */
  resize(key: Key, bytes: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.#makeRoom();
  }

  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = this.#entries.entries();
    this.#bytes = 0;
  }

  /** Yields the values, oldest first. */
  *values(): Generator<T> {
    for (const { value } of this.#entries.values()) yield value;
  }

  #makeRoom(): void {
    while (this.#entries.size > this.#limits.count || this.#bytes > this.#limits.bytes) {
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    let next = this.#oldest.next();
    if (next.done === true) {
      this.#oldest = this.#entries.entries();
      next = this.#oldest.next();
    }
    if (next.done === true) return;
    const [key, { value, bytes }] = next.value;
    this.#dropped(value);
    this.#bytes -= bytes;
    this.#entries.delete(key);
  }
}
