import type { Target } from '../targets/index.ts';

/** Caches a pure function of a target and a key, such as a scenario. */
export function perTarget<Key, Value>(
  work: (key: Key, target: Target) => Value,
): (key: Key, target: Target) => Value {
  const known = new WeakMap<Target, Known<Value>>();
  return (key, target) => {
    const there = known.get(target) ?? { ofObjects: new WeakMap(), ofOthers: new Map() };
    known.set(target, there);
    const found = foundIn(there, key) ?? { value: work(key, target) };
    // The weak map lets go of values whose key is no longer referenced.
    if (isObject(key)) there.ofObjects.set(key, found);
    else there.ofOthers.set(key, found);
    return found.value;
  };
}

interface Known<Value> {
  readonly ofObjects: WeakMap<object, { readonly value: Value }>;
  readonly ofOthers: Map<unknown, { readonly value: Value }>;
}

function foundIn<Value>({ ofObjects, ofOthers }: Known<Value>, key: unknown) {
  return isObject(key) ? ofObjects.get(key) : ofOthers.get(key);
}

function isObject(key: unknown): key is object {
  return (typeof key === 'object' && key !== null) || typeof key === 'function';
}
