import { tooMuchJson } from './json-size.ts';
import { cutLine } from './message-of.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, and an empty one otherwise. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is a list, and an empty one otherwise. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value at a path like `usage.total_tokens` or `output[0].text`, or undefined. */
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
/** Most paths are constants in the code, but some include numbers. */
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

/** Parses JSON. Returns undefined for invalid JSON, and for JSON nested deeper than the limit. */
export function parsed(text: string): unknown {
  try {
    return tooMuchJson(text) === null ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a value for a message: JSON, cut after `limit` characters. */
export function shown(value: unknown, limit = 200): string {
  return cutLine(value === undefined ? 'nothing' : jsonOf(value), limit);
}

/** Values that were parsed may still be nested too deeply to be written. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'JSON that is nested too deeply to be shown';
  }
}
