/** Parts of a run that can be repeated, from the smallest to the largest. */
const scopes = ['verdict', 'open', 'all'] as const;

/**
 * `verdict`: nothing is sent, what is known is judged by the list of known failures anew. `open`: what
 * failed or could not be decided, and everything when that holds. `all`: everything.
 */
type Scope = (typeof scopes)[number];

/** Further run after a change, or requested by the user. */
export interface Rerun {
  readonly scope: Scope;
  /** Reasons, for the reader: `src/app.ts changed`. */
  readonly causes: readonly string[];
}

/** Two that come together are one: the larger of them, for all of their reasons. */
export function together(one: Rerun | null, other: Rerun): Rerun {
  if (one === null) return other;
  const scope = scopes.indexOf(one.scope) > scopes.indexOf(other.scope) ? one.scope : other.scope;
  return { scope, causes: [...new Set([...one.causes, ...other.causes])] };
}

/** Collects what asks for further runs, until nothing has asked for a while. */
export class Reruns {
  readonly #quietMs: number;
  #pending: Rerun | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #wake: (() => void) | undefined;

  /** @param quietMs so long nothing may change before a run begins: one build writes many files */
  constructor(quietMs: number) {
    this.#quietMs = quietMs;
  }

  /** Something changed. The run waits until nothing has changed for a while. */
  changed(rerun: Rerun): void {
    this.#pending = together(this.#pending, rerun);
    clearTimeout(this.#timer);
    this.#isDue = false;
    this.#timer = setTimeout(() => this.#due(), this.#quietMs);
  }

  /** Requests a run that starts without a delay, because a user asked for it. */
  asked(rerun: Rerun): void {
    this.#pending = together(this.#pending, rerun);
    clearTimeout(this.#timer);
    this.#due();
  }

  #due(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** True if a run is pending, due or not. */
  get isAsked(): boolean {
    return this.#pending !== null;
  }

  /** The next run; null when the signal is aborted. */
  async next(signal: AbortSignal): Promise<Rerun | null> {
    while (!signal.aborted) {
      if (this.#isDue && this.#pending !== null) {
        const rerun = this.#pending;
        this.#pending = null;
        this.#isDue = false;
        return rerun;
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener('abort', wake);
      });
    }
    clearTimeout(this.#timer);
    return null;
  }
}
