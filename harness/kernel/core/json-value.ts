import { cutLine } from './cut.ts';
import { tooMuchJson } from './json-size.ts';

/** Reading JSON values of unknown shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object, and else an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value when it is a list, and else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a path like `usage.total_tokens` or `output[0].content[0].text`; undefined when absent. */
export function at(value: unknown, path: string): unknown {
  let here = value;
  for (const step of stepsOf(path)) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isObject(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

const known = new Map<string, readonly string[]>();
/** Paths stand in the code, so there are few, but for numbers that are written into some. */
const mostKnown = 1_000;

function stepsOf(path: string): readonly string[] {
  let steps = known.get(path);
  if (steps === undefined) {
    steps = path.match(/[^.[\]]+/g) ?? [];
    if (known.size >= mostKnown) known.clear();
    known.set(path, steps);
  }
  return steps;
}

/** True if a text is a path, and not a sentence. */
export function isPath(text: string): boolean {
  return /^[\w.[\]]+$/.test(text);
}

export function textAt(value: unknown, path: string): string | null {
  const found = at(value, path);
  return typeof found === 'string' ? found : null;
}

export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

export function numberAt(value: unknown, path: string): number | null {
  const found = at(value, path);
  return typeof found === 'number' ? found : null;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  return asList(at(value, path));
}

/** JSON text or, when it is none, or nested deeper than anything that is read, undefined. */
export function parsed(text: string): unknown {
  try {
    return tooMuchJson(text) === null ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** A value as a reader sees it in a message: JSON, cut after `limit` characters. */
export function shown(value: unknown, limit = 200): string {
  return cutLine(value === undefined ? 'nothing' : jsonOf(value), limit);
}

/** Parsing goes deeper than writing, so there are values that cannot be written. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'JSON that is nested too deeply to be shown';
  }
}
