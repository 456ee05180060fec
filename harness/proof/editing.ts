import { isArray, isObject, type Json, type JsonObject } from '../reference/index.ts';

// Edits of single members of a foreign JSON value by dotted path, such as `choices.0.delta.content`. The value
// itself stays unchanged.

export function memberAt(value: Json | undefined, path: string): Json | undefined {
  let found = value;
  for (const name of path.split('.')) {
    if (isArray(found)) found = found[Number(name)];
    else if (isObject(found)) found = Object.hasOwn(found, name) ? found[name] : undefined;
    else return undefined;
  }
  return found;
}

/**
 * Returns the object with another value at the path. An invalid path changes nothing; only the last name may be
 * new.
 *
 * @param change maps the old value to the new one; undefined removes the member
 */
export function changed(
  object: JsonObject,
  path: string,
  change: (old: Json | undefined) => Json | undefined,
): JsonObject {
  const result = walk(object, path.split('.'), change);
  return isObject(result) ? result : object;
}

export function set(object: JsonObject, path: string, value: Json): JsonObject {
  return changed(object, path, () => value);
}

/** Returns the object without the members at these paths. */
export function without(object: JsonObject, ...paths: readonly string[]): JsonObject {
  return paths.reduce((result, path) => changed(result, path, () => undefined), object);
}

export function renamed(object: JsonObject, path: string, name: string): JsonObject {
  const value = memberAt(object, path);
  if (value === undefined) return object;
  const around = path.split('.').slice(0, -1);
  return set(without(object, path), [...around, name].join('.'), value);
}

/** Changes the objects in a list; undefined removes one. */
export function eachEntry(
  body: JsonObject,
  member: string,
  change: (entry: JsonObject) => Json | undefined,
): JsonObject {
  return changed(body, member, (entries) =>
    isArray(entries)
      ? entries.flatMap((entry) => (isObject(entry) ? (change(entry) ?? []) : [entry]))
      : entries,
  );
}

// Edits as functions of an object, for encoders of bodies and events.

type Edit = (object: JsonObject) => JsonObject;

export function setting(path: string, value: Json): Edit {
  return (object) => set(object, path, value);
}

export function replacing(path: string, value: Json, other: Json): Edit {
  return (object) => changed(object, path, (old) => (old === value ? other : old));
}

export function dropping(...paths: readonly string[]): Edit {
  return (object) => without(object, ...paths);
}

export function renaming(path: string, name: string): Edit {
  return (object) => renamed(object, path, name);
}

function walk(
  value: Json,
  [name = '', ...rest]: readonly string[],
  change: (old: Json | undefined) => Json | undefined,
): Json | undefined {
  if (isArray(value)) {
    const index = Number(name);
    if (!(index in value)) return value;
    return value.flatMap((item, i) => {
      if (i !== index) return [item];
      const next = rest.length === 0 ? change(item) : walk(item, rest, change);
      return next === undefined ? [] : [next];
    });
  }
  if (!isObject(value)) return value;
  const old = Object.hasOwn(value, name) ? value[name] : undefined;
  if (rest.length === 0) return { ...value, [name]: change(old) };
  if (old === undefined) return value;
  return { ...value, [name]: walk(old, rest, change) };
}

/** Returns a value with all of its texts changed, including member names. */
function retold(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isArray(value)) return value.map((item) => retold(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[change(name), retold(member, change)]],
    ),
  );
}

export function retelling(change: (text: string) => string): Edit {
  return (data) => {
    const told = retold(data, change);
    return isObject(told) ? told : data;
  };
}
