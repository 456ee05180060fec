import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from './json.ts';
import { words } from './words.ts';

// Generates values from JSON schemas: arguments of a call, and structured output.

const deepest = 16;

/** Returns a value that the schema accepts, for the common keywords. Its first open texts are topics. */
export function sampleOf(
  schema: JsonObject,
  random: () => number,
  topics: string[] = [],
  depth = 0,
): Json {
  if (depth > deepest) return null;
  if (schema.const !== undefined) return schema.const;
  if (isArray(schema.enum) && schema.enum[0] !== undefined) return schema.enum[0];
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (isArray(choice) && isObject(choice[0]))
      return sampleOf(choice[0], random, topics, depth + 1);
  }
  const { minimum, maximum } = limits(schema);
  switch (typeOf(schema)) {
    case 'object': {
      const properties = objectOrEmpty(schema.properties);
      const value: Record<string, Json> = {};
      for (const name of requiredOf(schema)) {
        if (name === '__proto__') continue;
        value[name] = sampleOf(objectOrEmpty(properties[name]), random, topics, depth + 1);
      }
      return value;
    }
    case 'array': {
      const items = objectOrEmpty(schema.items);
      const length = Math.min(mostItems, bound(schema.maxItems, 8), bound(schema.minItems, 1));
      return Array.from({ length }, () => sampleOf(items, random, topics, depth + 1));
    }
    case 'integer': {
      const value = 1 + Math.floor(random() * 9);
      return Math.min(Math.floor(maximum), Math.max(Math.ceil(minimum), value));
    }
    case 'number': {
      const value = 1 + Math.floor(random() * 18) / 2;
      return Math.min(maximum, Math.max(minimum, value));
    }
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      return topics.shift() ?? words[Math.floor(random() * words.length)] ?? 'word';
  }
}

const mostItems = 8;

/** Schema keywords that a sample satisfies or may ignore. */
const known = new Set(
  (
    'type const enum anyOf oneOf properties required additionalProperties items minItems maxItems ' +
    'minimum maximum title description default examples nullable propertyOrdering $schema $id'
  ).split(' '),
);

/** Returns the reason why a schema has no sample; null if it has one. */
export function unservable(schema: Json | undefined, path = 'schema', depth = 0): string | null {
  if (!isObject(schema)) return `'${path}' has to be an object`;
  if (depth > deepest) return `'${path}' is nested too deep`;
  const unknown = Object.keys(schema).find((name) => !known.has(name));
  if (unknown !== undefined) return `'${path}.${unknown}' is not supported`;
  const { minimum, maximum } = limits(schema);
  const { properties, additionalProperties, items, minItems, maxItems } = schema;
  const closed = additionalProperties === false;
  const missing = requiredOf(schema).find((name) => !(name in objectOrEmpty(properties)));
  if (closed && missing !== undefined) return `'${path}' requires '${missing}' and forbids it`;
  const whole = typeOf(schema) === 'integer';
  if ((whole ? Math.ceil(minimum) : minimum) > maximum)
    return `'${path}.minimum' leaves no value below its maximum`;
  if (bound(minItems, 0) > Math.min(mostItems, bound(maxItems, mostItems))) {
    return `'${path}.minItems' asks for more than ${mostItems} items, or than it allows`;
  }
  for (const list of ['anyOf', 'oneOf'] as const) {
    const choices = schema[list];
    if (choices === undefined) continue;
    if (!isArray(choices)) return `'${path}.${list}' has to be a list`;
    const beside = ['properties', 'items', 'required', 'anyOf', 'oneOf'].find(
      (name) => name !== list && schema[name] !== undefined,
    );
    if (beside !== undefined) return `'${path}.${list}' beside '${beside}' is not supported`;
    if (list === 'oneOf' && choices.length > 1) {
      return `'${path}.oneOf' with several choices is not supported: use anyOf`;
    }
    const found = unservable(choices[0], `${path}.${list}[0]`, depth + 1);
    if (found !== null) return found;
  }
  const inner: [string, Json | undefined][] = Object.entries(objectOrEmpty(properties));
  if (items !== undefined) inner.push(['items', items]);
  for (const [name, value] of inner) {
    const found = unservable(value, `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the required names of an object; without `required`, all described ones. */
function requiredOf({ required, properties }: JsonObject): readonly string[] {
  if (!isArray(required)) return Object.keys(objectOrEmpty(properties));
  return required.filter((name) => typeof name === 'string');
}

/**
 * Returns the type in lower case, because the generative-content protocol writes `STRING`; the first of several types.
 */
function typeOf({ type, properties }: JsonObject): string {
  const first = isArray(type) ? type[0] : type;
  if (typeof first === 'string') return first.toLowerCase();
  return properties === undefined ? 'string' : 'object';
}

function limits(schema: JsonObject): { readonly minimum: number; readonly maximum: number } {
  return {
    minimum: bound(schema.minimum, Number.NEGATIVE_INFINITY),
    maximum: bound(schema.maximum, Number.POSITIVE_INFINITY),
  };
}

function bound(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
