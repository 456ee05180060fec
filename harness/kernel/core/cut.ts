/** Cuts a text to at most `limit` characters, of which the last is `…` if something is left out. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Cuts a text after replacing each run of white space with one space, so that it fits on one line. */
export function cutLine(text: string, limit = 200): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}
