import { isObject } from '../core/index.ts';

/** Values of a generation that its call does not set. */
export interface Defaults {
  readonly model: string;
  /** Every generation sets its output limit: the specification asks for it, and it bounds the cost. */
  readonly maxOutputTokens: number;
  /** One user message. */
  readonly input: string;
}

/** Members of a JSON body. One that is `undefined` is left out, and takes a default away. */
export type Fields = Readonly<Record<string, unknown>>;

/** All of these members; objects under the same name become one. */
export function merged(...all: readonly Fields[]): Fields {
  const result: Record<string, unknown> = {};
  for (const [name, value] of all.flatMap(Object.entries)) {
    const old = result[name];
    result[name] = isObject(old) && isObject(value) ? merged(old, value) : value;
  }
  return result;
}

/** The fields that have one value, at a path like `generationConfig.maxOutputTokens`. */
export function fieldsAt(path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : fieldsAt(rest.join('.'), value) };
}
