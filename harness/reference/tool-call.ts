import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from './json.ts';
import { words } from './words.ts';

/**
 * The arguments of a call, made from the JSON schema of the function's parameters: a value for each required property.
 * As fragments of their JSON text, a name or a value each, the way a model streams them.
 */
export function argumentFragments(parameters: JsonObject, random: () => number): string[] {
  const value = sampleOf(parameters, random, 0);
  const entries = Object.entries(objectOrEmpty(value));
  if (entries.length === 0) return ['{}'];
  const fragments: string[] = [];
  for (const [name, argument] of entries) {
    fragments.push(`${fragments.length === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    fragments.push(JSON.stringify(argument));
  }
  fragments.push('}');
  return fragments;
}

/** A value that the schema accepts, as far as the usual keywords say. */
function sampleOf(schema: JsonObject, random: () => number, depth: number): Json {
  if (depth > 16) return null;
  if (schema.const !== undefined) return schema.const;
  if (isArray(schema.enum) && schema.enum[0] !== undefined) return schema.enum[0];
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (isArray(choice) && isObject(choice[0])) return sampleOf(choice[0], random, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object': {
      const properties = objectOrEmpty(schema.properties);
      const required = isArray(schema.required) ? schema.required : Object.keys(properties);
      const value: Record<string, Json> = {};
      for (const name of required) {
        if (typeof name !== 'string' || name === '__proto__') continue;
        value[name] = sampleOf(objectOrEmpty(properties[name]), random, depth + 1);
      }
      return value;
    }
    case 'array': {
      const length = Math.min(8, bound(schema.minItems, 1));
      const items = objectOrEmpty(schema.items);
      return Array.from({ length }, () => sampleOf(items, random, depth + 1));
    }
    case 'integer':
      return Math.ceil(bound(schema.minimum, 1 + Math.floor(random() * 9)));
    case 'number':
      return bound(schema.minimum, 1 + Math.floor(random() * 18) / 2);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      return words[Math.floor(random() * words.length)] ?? 'word';
  }
}

/** In lower case: the generative-content protocol writes `STRING`. The first of several. */
function typeOf({ type, properties }: JsonObject): string {
  const first = isArray(type) ? type[0] : type;
  if (typeof first === 'string') return first.toLowerCase();
  return properties === undefined ? 'string' : 'object';
}

function bound(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
