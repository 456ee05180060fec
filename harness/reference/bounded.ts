/** Maximum number of entries, and approximate maximum number of bytes in all. */
export interface Limits {
  readonly count: number;
  readonly bytes: number;
}

/** For a gateway that is judged: nothing that a run asks for may be gone. */
export const noLimits: Limits = {
  count: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

/** Entries in the order in which they came, by their keys. The oldest go when there is too much. */
export class Bounded<T, Key = string> {
  readonly #limits: Limits;
  readonly #dropped: (value: T) => void;
  readonly #entries = new Map<Key, { readonly value: T; bytes: number }>();
  /** One iterator for all: a new one would look at every entry that has gone before. */
  #oldest = this.#entries.entries();
  #bytes = 0;

  /** @param dropped told of each entry that goes to make room */
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
   * The entry is the newest, in place of one with its key. One that is too much by itself is not kept.
   *
   * @param bytes about as much memory as it takes
   */
  put(key: Key, value: T, bytes: number): void {
    this.delete(key);
    if (bytes > this.#limits.bytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  /** An entry takes more than was known when it came; it keeps its place. */
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

  /** Oldest first. */
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
