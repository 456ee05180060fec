const token = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/g;

/**
 * The first member that stands twice in an object of a JSON text; null: each object has each of its members once.
 *
 * @param text JSON that can be parsed
 */
export function memberTwice(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [found, name, colon] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '}') open.pop();
    else if (colon !== undefined && name !== undefined) {
      // Written with escapes, it is the same name.
      const written = name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
      const members = open.at(-1);
      if (members?.has(written)) return written;
      members?.add(written);
    }
  }
  return null;
}
