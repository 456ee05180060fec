/** Signals that a reader has disconnected. An `AbortSignal` qualifies; streams use a lighter object. */
export interface Gone {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Iterator over values that arrive over time. It yields null while the next value is pending. */
export type Steps<T> = Iterator<T | null, void, undefined>;

/**
 * Values that arrive over time. A reader iterates with `for await`, or takes all available values at once with `take`.
 */
export class Feed<T> implements AsyncIterable<T> {
  readonly #steps: Steps<T>;
  readonly #more: () => Promise<void>;
  #ended = false;

  /** @param more resolves when more values may be available */
  constructor(steps: Steps<T>, more: () => Promise<void>) {
    this.#steps = steps;
    this.#more = more;
  }

  /** True if all values have been taken. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes at most `most` of the available values. */
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

  /** Resolves when more values may be available. */
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
