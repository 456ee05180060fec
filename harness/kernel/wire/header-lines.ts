import type { HeaderLines } from '../core/index.ts';

/** Pairs of name and value from the parser's flat list. */
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

/** True for an HTTP token: the form of methods and header names. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** True for latin1 text without bytes that would end the line or the text. */
export function isHeaderValue(text: string): boolean {
  return !/[\0\r\n]|[^\0-\xff]/.test(text);
}
