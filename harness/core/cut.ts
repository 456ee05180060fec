/** The beginning of a text: at most `limit` characters, of which the last is `…` where something is left out. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** The same on one line: whatever white space stands together is one space. */
export function cutLine(text: string, limit = 200): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}
