/** Returns `read` with its results kept: it reads each object once. */
export function onceFor<Of extends object, Value>(read: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    let kept = known.get(of);
    if (kept === undefined) {
      kept = { value: read(of) };
      known.set(of, kept);
    }
    return kept.value;
  };
}

/** Returns the items under each of their keys, in their order. */
export function byKey<Item, Key>(
  items: Iterable<Item>,
  keysOf: (item: Item) => Iterable<Key>,
): Map<Key, Item[]> {
  const all = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const known = all.get(key);
      if (known === undefined) all.set(key, [item]);
      else known.push(item);
    }
  }
  return all;
}

/** Orders items so that their kinds alternate. */
export function alternating<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  const ranked = items.map((item) => {
    const kind = kindOf(item);
    const rank = counts.get(kind) ?? 0;
    counts.set(kind, rank + 1);
    return { item, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}
