import type { HeaderLines } from '../core/index.ts';

/** Pairs of name and value from the flat list of the parser. */
export function headerLines(raw: unknown): HeaderLines {
  if (!Array.isArray(raw)) return [];
  const lines: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    lines.push([latin1(raw[index]), latin1(raw[index + 1])]);
  }
  return lines;
}

function latin1(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}

/** A token of HTTP, which methods and names of headers are. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Bytes of a value as latin1, none of which ends the line or the text. */
export function isHeaderValue(text: string): boolean {
  return !/[\0\r\n]|[^\0-\xff]/.test(text);
}
