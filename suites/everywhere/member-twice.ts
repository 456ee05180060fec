const quote = 0x22;
const colon = 0x3a;
const space = 0x20;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Returns the first member that occurs twice in an object of a JSON text, or null.
 *
 * @param text valid JSON
 */
export function memberTwice(text: string): string | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === openObject) open.push(new Set());
    else if (code === closeObject) open.pop();
    if (code !== quote) continue;
    const from = at + 1;
    at = endOfString(text, from);
    if (text.charCodeAt(afterSpaces(text, at + 1)) !== colon) continue;
    const name = text.slice(from, at);
    // A name written with escapes is the same name.
    const written = name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
    const members = open.at(-1);
    if (members?.has(written)) return written;
    members?.add(written);
  }
  return null;
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}
