import { insist } from './admission.ts';
import type { Call } from './call.ts';
import { isArray, isObject, isShallow, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';

// Reads the members of a body. Absent and null are equivalent. A wrong type is refused; if the policy does not
// insist on that, the member counts as absent. `path` is the dotted name of a nested member.

export function booleanAt(body: JsonObject, name: string, call: Call): boolean | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  return wrong(name, 'a boolean', call);
}

export function stringAt(body: JsonObject, name: string, call: Call, path = name): string | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  return wrong(path, 'a string', call);
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

export function objectAt(
  body: JsonObject,
  name: string,
  call: Call,
  path = name,
): JsonObject | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (!isObject(value)) return wrong(path, 'an object', call);
  return isDeep(value, path, call) ? null : value;
}

export function arrayAt(
  body: JsonObject,
  name: string,
  call: Call,
  path = name,
): readonly Json[] | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (!isArray(value)) return wrong(path, 'an array', call);
  return isDeep(value, path, call) ? null : value;
}

/** Returns a list of objects, each with its dotted name. An absent list is empty. */
export function objectsAt(
  body: JsonObject,
  name: string,
  call: Call,
  path = name,
): readonly { readonly value: JsonObject; readonly path: string }[] {
  return (arrayAt(body, name, call, path) ?? []).map((value, index) => {
    const at = `${path}[${index}]`;
    if (isObject(value)) return { value, path: at };
    wrong(at, 'an object', call);
    return { value: {}, path: at };
  });
}

/** Returns a list of objects that is required and must not be empty, such as the turns of a conversation. */
export function requiredObjectsAt(
  body: JsonObject,
  name: string,
  call: Call,
): ReturnType<typeof objectsAt> {
  required(body[name] ?? null, name, call);
  const list = objectsAt(body, name, call);
  if (list.length === 0) {
    insist(call, new Refusal('invalid-value', `'${name}' must not be empty.`, name));
  }
  return list;
}

/** Returns a string, or a list of strings up to a maximum, as a list. Absent: an empty list. */
export function stringsAt(
  body: JsonObject,
  name: string,
  most: number,
  call: Call,
  path = name,
): readonly string[] {
  const value = body[name] ?? null;
  const given = value === null ? [] : isArray(value) ? value : [value];
  const strings = given.filter((one) => typeof one === 'string');
  if (strings.length < given.length) wrong(path, 'a string, or a list of strings', call);
  if (strings.length <= most) return strings;
  insist(call, new Refusal('invalid-value', `'${path}' has at most ${most} strings.`, path));
  return strings.slice(0, most);
}

export function integerAt(
  body: JsonObject,
  name: string,
  range: readonly [number, number],
  call: Call,
): number | null {
  const value = numberAt(body, name, range, call);
  return value === null || Number.isInteger(value) ? value : wrong(name, 'an integer', call);
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
