import { insist } from './admission.ts';
import type { Call } from './call.ts';
import { isObject, isShallow, type Json, type JsonObject } from './json.ts';
import { unservable } from './json-sample.ts';
import { Refusal } from './refusal.ts';

/** Schema for structured output that may be any JSON object. */
export const anyObject: JsonObject = { type: 'object', properties: { answer: { type: 'string' } } };

/**
 * Returns the schema of the structured output. Refuses an invalid schema, and one with keywords that this gateway
 * cannot satisfy.
 *
 * @param path dotted name of the member that holds it
 */
export function outputSchema(
  schema: Json | undefined,
  path: string,
  call: Call,
): JsonObject | null {
  const problem = isShallow(schema) ? unservable(schema, path) : `'${path}' is nested too deep`;
  if (problem === null && isObject(schema)) return schema;
  insist(call, new Refusal('invalid-value', `${problem}.`, path));
  return null;
}
