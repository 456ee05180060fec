import { setImmediate as turn } from 'node:timers/promises';

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
  readonly #waiting = new Map<Phase, [rank: number, begin: () => void][]>();

  /** Resolves when a flow of this phase may begin, the lowest rank first: at once if the phase has begun. */
  async reached(phase: Phase, rank: number): Promise<void> {
    if (laterOf(phase, this.#now) === this.#now) return;
    await new Promise<void>((begin) => {
      this.#waiting.set(phase, [...(this.#waiting.get(phase) ?? []), [rank, begin]]);
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
      const waiting = (this.#waiting.get(next) ?? []).toSorted(([one], [other]) => one - other);
      this.#waiting.delete(next);
      this.#now = next;
      // Looks again at its end, because possibly none of them sends anything.
      void this.during(async () => {
        for (const [at, [rank, begin]] of waiting.entries()) {
          // Flows of a lower rank have sent their first requests by the next turn.
          if (at > 0 && rank !== waiting[at - 1]?.[0]) await turn();
          begin();
        }
      });
    });
  }
}
