/**
 * Returns a value that a scenario must have captured for a check. Its absence is an internal error, and makes the
 * check an `error`.
 */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Error(`The scenario captured no ${what}`);
  return value;
}
