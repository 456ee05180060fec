import { insist } from './admission.ts';
import type { Call } from './call.ts';
import { isArray, isObject, isShallow, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';

// Reading the members of a body. Absent and null are the same; a wrong type is refused, and where the
// policy does not insist on that, the member is taken as absent. `path` is the member's dotted name.

export function booleanAt(body: JsonObject, name: string, call: Call): boolean | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  return wrong(name, 'a boolean', call);
}

export function stringAt(body: JsonObject, name: string, call: Call): string | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  return wrong(name, 'a string', call);
}

export function numberAt(
  body: JsonObject,
  name: string,
  [least, most]: readonly [number, number],
  call: Call,
): number | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number') return wrong(name, 'a number', call);
  if (value >= least && value <= most) return value;
  insist(
    call,
    new Refusal('invalid-value', `'${name}' has to be between ${least} and ${most}.`, name),
  );
  return null;
}

export function objectAt(body: JsonObject, name: string, call: Call): JsonObject | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (!isObject(value)) return wrong(name, 'an object', call);
  return isDeep(value, name, call) ? null : value;
}

export function arrayAt(body: JsonObject, name: string, call: Call): readonly Json[] | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (!isArray(value)) return wrong(name, 'an array', call);
  return isDeep(value, name, call) ? null : value;
}

/** Refuses a body without this member. */
export function required<T>(value: T | null, name: string, call: Call): T | null {
  if (value !== null) return value;
  insist(call, new Refusal('missing-parameter', `Missing required parameter: '${name}'.`, name));
  return null;
}

function wrong(name: string, expected: string, call: Call): null {
  insist(call, new Refusal('wrong-type', `'${name}' has to be ${expected}.`, name));
  return null;
}

function isDeep(value: Json, name: string, call: Call): boolean {
  if (isShallow(value)) return false;
  insist(call, new Refusal('too-deep', `'${name}' is nested too deep.`, name));
  return true;
}
