/**
 * Order of the scenarios: first requests that any program might send, with those that are sent at the same time as
 * the last of them; then those that a gateway may defend itself against, last those that investigate all exchanges. A
 * gateway that locks an address out after wrong keys, or that ends after a bad body, has then shown everything else.
 */
export const phases = ['ordinary', 'together', 'credentials', 'input', 'last'] as const;

export type Phase = (typeof phases)[number];

export function laterOf(one: Phase, other: Phase): Phase {
  return phases.indexOf(one) < phases.indexOf(other) ? other : one;
}

/** Starts flows phase by phase: a phase begins once the running flows and all earlier phases have ended. */
export class Phases {
  #now: Phase = 'ordinary';
  #going = 0;
  #looking = false;
  readonly #waiting = new Map<Phase, (() => void)[]>();

  /** Resolves when a flow of this phase may begin: at once if the phase has begun. */
  async reached(phase: Phase): Promise<void> {
    if (laterOf(phase, this.#now) === this.#now) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(phase, [...(this.#waiting.get(phase) ?? []), resolve]);
      this.#look();
    });
  }

  /** Counts a flow as running until its promise settles. */
  async during<Result>(flow: () => Promise<Result>): Promise<Result> {
    this.#going++;
    try {
      return await flow();
    } finally {
      this.#going--;
      this.#look();
    }
  }

  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    // Flows that follow the one that has just ended have begun by the next immediate.
    setImmediate(() => {
      this.#looking = false;
      if (this.#going > 0) return;
      const next = phases.find((phase) => this.#waiting.has(phase));
      if (next === undefined) return;
      const begin = this.#waiting.get(next) ?? [];
      this.#waiting.delete(next);
      this.#now = next;
      for (const one of begin) one();
      // Continues, because possibly none of them sends anything.
      this.#look();
    });
  }
}
