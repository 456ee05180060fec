/** Makes one element for each value of an axis, by value. */
export function each<Value extends string, Made>(
  values: readonly Value[],
  make: (value: Value) => Made,
): Readonly<Record<Value, Made>> {
  // The type of `Object.fromEntries` loses the keys.
  return Object.fromEntries(values.map((value) => [value, make(value)])) as Record<Value, Made>;
}
