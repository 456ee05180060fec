/** A JSON value, as parsed from a body or about to be written into one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Serialization omits a member that is `undefined`. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Returns the value if it is an object, else an empty one, so that reading can continue after a defect accepts a
 * bad body.
 */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * True if a value is nested at most `depth` levels deep, so that an echoed body can be serialized again. The walk
 * is iterative, because a hostile body may be deeper than the stack.
 */
export function isShallow(value: Json | undefined, depth = 64): boolean {
  let level: Json[] = value === undefined ? [] : [value];
  for (let d = 0; level.length > 0; d++) {
    if (d > depth) return false;
    const next: Json[] = [];
    for (const v of level) {
      if (isArray(v)) for (const inner of v) next.push(inner);
      else if (isObject(v)) {
        for (const inner of Object.values(v)) if (inner !== undefined) next.push(inner);
      }
    }
    level = next;
  }
  return true;
}

/** Returns the approximate length of the JSON text, without recursion for the same reason. */
export function lengthOf(value: Json | undefined): number {
  let length = 0;
  const left: (Json | undefined)[] = [value];
  while (left.length > 0) {
    const v = left.pop();
    length += typeof v === 'string' ? v.length + 3 : 8;
    if (isArray(v)) for (const inner of v) left.push(inner);
    else if (isObject(v)) {
      for (const name in v) {
        length += name.length;
        left.push(v[name]);
      }
    }
  }
  return length;
}
