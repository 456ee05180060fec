import { type Limits, noLimits } from './bounded.ts';
import { Ledger } from './ledger.ts';
import { PromptCache } from './prompt-cache.ts';
import { Store } from './store.ts';

export interface DatabaseLimits {
  readonly responses?: Limits;
  readonly records?: Limits;
}

/** State of a gateway. Several nodes may share it. */
export class Database {
  readonly store: Store;
  readonly #limits: DatabaseLimits;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #caches = new Map<string, PromptCache>();

  constructor(limits: DatabaseLimits = {}) {
    this.#limits = limits;
    this.store = new Store(limits.responses ?? noLimits);
  }

  get ledgers(): ReadonlyMap<string, Ledger> {
    return this.#ledgers;
  }

  ledger(region: string): Ledger {
    const ledger = this.#ledgers.get(region) ?? new Ledger(this.#limits.records ?? noLimits);
    this.#ledgers.set(region, ledger);
    return ledger;
  }

  cache(region: string): PromptCache {
    const cache = this.#caches.get(region) ?? new PromptCache();
    this.#caches.set(region, cache);
    return cache;
  }
}
