import type { Target } from '../targets/index.ts';

interface ValueStore<Value> {
  get(key: unknown): { readonly value: Value } | undefined;
  set(key: unknown, found: { readonly value: Value }): unknown;
}

/** Caches a pure function of a target and a key, such as a scenario. */
export function perTarget<Key, Value>(
  work: (key: Key, target: Target) => Value,
): (key: Key, target: Target) => Value {
  const known = new WeakMap<Target, readonly [ValueStore<Value>, ValueStore<Value>]>();
  return (key, target) => {
    // The weak map lets go of values whose key is no longer referenced.
    const there = known.get(target) ?? ([new WeakMap(), new Map()] as const);
    known.set(target, there);
    const store: ValueStore<Value> = there[Object(key) === key ? 0 : 1];
    const found = store.get(key) ?? { value: work(key, target) };
    store.set(key, found);
    return found.value;
  };
}
