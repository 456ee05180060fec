import { isObject, shown } from './json-value.ts';
import { cut } from './message-of.ts';

/** Maximum length of a quoted name or excerpt. */
const shownLength = 60;

/**
 * Explains how a JSON text differs from the one that Touchstone writes for the same content, as a phrase. Null if
 * they are equal. Readers could otherwise differ on what it says.
 */
export function whyOtherwise(text: string, expected: string): string | null {
  if (text === expected) return null;
  if (text.includes('\r') && !expected.includes('\r')) {
    return 'its lines end with CR LF, and Touchstone writes LF';
  }
  const twice = memberTwice(text);
  if (twice !== null) return `the member ${shown(twice, shownLength)} is there twice`;
  const unknown = unknownMember(JSON.parse(text), JSON.parse(expected), '');
  if (unknown !== null) return `Touchstone writes no member ${shown(unknown, shownLength)}`;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const isPadded = /\s/.test(text[at] ?? '') && !/\s/.test(expected[at] ?? '');
  const there = isPadded ? 'white space' : excerpt(text, at);
  return `at character ${at + 1} is ${there}, and Touchstone writes ${excerpt(expected, at)}`;
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - 5);
  return at >= text.length ? 'nothing more' : JSON.stringify(cut(text.slice(start, at + 25), 30));
}

/** Returns the name of the first member that an object has twice, however it is spelled. */
function memberTwice(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const start = at;
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
      colon.lastIndex = at + 1;
      const names = open.at(-1) ?? null;
      if (names === null || !colon.test(text)) continue;
      const name: string = JSON.parse(text.slice(start, at + 1));
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return null;
}

/** Returns the path of the first member that is not expected. */
function unknownMember(value: unknown, expected: unknown, path: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (typeof expected !== 'object' || expected === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (isObject(value) && !Object.hasOwn(expected, name)) return path + name;
    const within = unknownMember(member, Reflect.get(expected, name), `${path}${name}.`);
    if (within !== null) return within;
  }
  return null;
}
