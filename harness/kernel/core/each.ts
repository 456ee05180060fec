/** One thing for each value of an axis, under that value. */
export function each<Value extends string, Made>(
  values: readonly Value[],
  make: (value: Value) => Made,
): Readonly<Record<Value, Made>> {
  // Object.fromEntries forgets the keys that it was given.
  return Object.fromEntries(values.map((value) => [value, make(value)])) as Record<Value, Made>;
}
