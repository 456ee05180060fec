import { isObject } from '../core/index.ts';

/** Values of a generation that its call does not set. */
export interface Defaults {
  readonly model: string;
  /** Output limit of every generation: the specification requires it, and it bounds the cost. */
  readonly maxOutputTokens: number;
  /** One user message. */
  readonly input: string;
}

/** Members of a JSON body. The value `undefined` omits a member and its default. */
export type Fields = Readonly<Record<string, unknown>>;

/** Merges members deeply. Objects under the same name are combined. */
export function merged(...all: readonly Fields[]): Fields {
  const result: Record<string, unknown> = {};
  for (const [name, value] of all.flatMap(Object.entries)) {
    const old = result[name];
    result[name] = isObject(old) && isObject(value) ? merged(old, value) : value;
  }
  return result;
}

/** Returns fields with one value, at a path such as `generationConfig.maxOutputTokens`. */
export function fieldsAt(path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : fieldsAt(rest.join('.'), value) };
}
