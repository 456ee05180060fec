/** The beginning of a text: at most `limit` characters, of which the last is `…` where something is left out. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Cuts a text after it has replaced each run of white space with one space, so that it fits on one line. */
export function cutLine(text: string, limit = 200): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}
