export interface Most {
  readonly generations: number;
  readonly requests: number;
}

export interface Reserved {
  generations: number;
  requests: number;
}

/** Keeps an exploration within its bounds: the maximum cost of each operation is reserved before it. */
export class Budget {
  readonly #bounds: Most;
  readonly #spent: () => Most;
  readonly #reserved = new Set<Reserved>();

  /** @param spent returns the cost of all requests so far, from any sender */
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

  /**
   * @param from reservation to take it from; default: the remaining budget
   * @returns null if the budget does not suffice
   */
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

  release(reserved: Reserved): void {
    this.#reserved.delete(reserved);
  }
}
