/** A JSON value, as parsed from a body or about to be written into one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A member that is `undefined` is left out when the object is written. */
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The member as an object, or an empty one: for reading on where a defect let a bad body through. */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * True if a value is nested at most `depth` levels deep. The walk is iterative, because a hostile body is
 * deeper than the stack. A body that is echoed has to be serialized again.
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

/** About as many characters as its text has. Without recursion, as above. */
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
