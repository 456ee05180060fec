/** Upper bounds of what something sends. */
export interface Most {
  readonly generations: number;
  readonly requests: number;
}

/** Reserved part of the budget that is not spent yet. */
export interface Reserved {
  generations: number;
  requests: number;
}

/**
 * Keeps an exploration within its bounds, however much is under way at once: what may be asked for at most is set
 * aside before anything of it is sent.
 */
export class Budget {
  readonly #bounds: Most;
  readonly #spent: () => Most;
  readonly #reserved = new Set<Reserved>();

  /** @param spent what was asked for so far, whoever asked for it */
  constructor(bounds: Most, spent: () => Most) {
    this.#bounds = bounds;
    this.#spent = spent;
  }

  /** Budget that is neither spent nor reserved. */
  get left(): Most {
    let { generations, requests } = this.#bounds;
    for (const one of [this.#spent(), ...this.#reserved]) {
      generations -= one.generations;
      requests -= one.requests;
    }
    return { generations, requests };
  }

  /** @param from out of what was set aside before; default: out of what is left. @returns null: there is not enough */
  reserve(most: Most, from?: Reserved): Reserved | null {
    const left = from ?? this.left;
    if (most.generations > left.generations || most.requests > left.requests) return null;
    if (from !== undefined) {
      from.generations -= most.generations;
      from.requests -= most.requests;
    }
    const reserved = { generations: most.generations, requests: most.requests };
    this.#reserved.add(reserved);
    return reserved;
  }

  /** Releases a reservation whose work has ended. */
  release(reserved: Reserved): void {
    this.#reserved.delete(reserved);
  }
}
