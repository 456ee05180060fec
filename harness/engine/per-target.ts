import type { Target } from '../target/target.ts';

/**
 * A pure function of a scenario, or what is like one, and a target, that is worked out once for each two: every
 * check that rests on a scenario asks.
 */
export function perTarget<Key, Value>(
  work: (key: Key, target: Target) => Value,
): (key: Key, target: Target) => Value {
  const known = new WeakMap<Target, Map<Key, { readonly value: Value }>>();
  return (key, target) => {
    const there = known.get(target) ?? new Map<Key, { readonly value: Value }>();
    known.set(target, there);
    const found = there.get(key) ?? { value: work(key, target) };
    there.set(key, found);
    return found.value;
  };
}
