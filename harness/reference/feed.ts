/** Signals that a reader has gone. An `AbortSignal` is one; each stream has a lighter one. */
export interface Gone {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Iterator over values that are made over time. It yields null while the next value is pending. */
export type Steps<T> = Iterator<T | null, void, undefined>;

/**
 * Values that are made over time. A reader takes them one by one with `for await`, or takes all available
 * values at once with `take`.
 */
export class Feed<T> implements AsyncIterable<T> {
  readonly #steps: Steps<T>;
  readonly #more: () => Promise<void>;
  #ended = false;

  /** @param more resolves when there may be more to take than there was */
  constructor(steps: Steps<T>, more: () => Promise<void>) {
    this.#steps = steps;
    this.#more = more;
  }

  /** True if all values have been taken. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the values that are available now, at most `most`. */
  take(most: number): T[] {
    const taken: T[] = [];
    while (taken.length < most) {
      const { value, done } = this.#steps.next();
      if (done === true) {
        this.#ended = true;
        break;
      }
      if (value === null) break;
      taken.push(value);
    }
    return taken;
  }

  /** Resolves when there may be more to take. */
  more(): Promise<void> {
    return this.#more();
  }

  map<U>(change: (entry: T) => U): Feed<U> {
    return new Feed(changed(this.#steps, change), this.#more);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const { value, done } = this.#steps.next();
      if (done === true) return;
      if (value === null) await this.#more();
      else yield value;
    }
  }
}

function changed<T, U>(steps: Steps<T>, change: (entry: T) => U): Steps<U> {
  return {
    next() {
      const { value, done } = steps.next();
      if (done === true) return { value: undefined, done };
      return { value: value === null ? null : change(value), done: false };
    },
  };
}
