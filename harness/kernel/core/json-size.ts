import { type Budget, UnfitFile } from './foreign-file.ts';

/** Maximum depth of JSON, over twice that of any protocol: functions on values are recursive. */
export const deepestJson = 500;

/** Maximum number of brackets, commas, colons and lines of one answer that is read. */
export const mostThings = 200_000;

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openObject = 0x7b;
const openList = 0x5b;

/**
 * Measures a JSON text before it is parsed: the memory that its values take depends on their number more than on
 * the bytes. Knows just enough of JSON for that, and counts any other text as well.
 */
export class Meter {
  /** Lines, and brackets, commas and colons outside of strings. */
  things = 0;
  deepest = 0;
  /** True if the last character ended a line with separate JSON. */
  isAtLine = false;
  readonly #byLines: boolean;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** @param byLines each line holds separate JSON, as in an event stream */
  constructor(byLines: boolean) {
    this.#byLines = byLines;
  }

  /** Takes the next character, or the next byte of UTF-8. */
  see(code: number): void {
    if (code === lineFeed || code === carriageReturn) {
      this.things++;
      this.isAtLine = this.#byLines;
      if (this.#byLines) {
        this.#depth = 0;
        this.#inText = false;
        this.#isEscaped = false;
      }
      return;
    }
    this.isAtLine = false;
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) this.#inText = false;
    } else if (code === quote) {
      this.#inText = true;
    } else if (code === openObject || code === openList) {
      this.things++;
      this.#depth++;
      if (this.#depth > this.deepest) this.deepest = this.#depth;
    } else if (code === 0x7d || code === 0x5d) {
      this.#depth--;
    } else if (code === 0x2c || code === 0x3a) {
      this.things++;
    }
  }
}

/**
 * Returns the reason why a JSON text is too large to parse; null if it may be parsed.
 *
 * @param most maximum number of brackets, commas, colons and lines
 */
export function tooMuchJson(text: string, most = Number.POSITIVE_INFINITY): string | null {
  if (text.length <= most && openedIn(text) <= deepestJson) return null;
  const meter = new Meter(false);
  for (let at = 0; at < text.length; at++) meter.see(text.charCodeAt(at));
  return overBound(meter, most);
}

/** Parses the JSON of a stranger. @throws {UnfitFile} if it is over a limit @throws {SyntaxError} */
export function parseForeign(text: string, { things }: Pick<Budget, 'things'>): unknown {
  if (text.startsWith('\uFEFF')) {
    throw new UnfitFile('It begins with a byte order mark: save it without.', false);
  }
  const bound = tooMuchJson(text, things);
  if (bound !== null) throw new UnfitFile(`It is not read: ${bound}.`);
  return JSON.parse(text);
}

/** Counts opening brackets, including those in strings: a cheap upper bound of the depth. */
function openedIn(text: string): number {
  let opened = 0;
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) opened++;
  return opened;
}

/** Returns the bound that is exceeded, as a phrase; null if none is. */
export function overBound(
  { deepest, things }: Pick<Meter, 'deepest' | 'things'>,
  most = Number.POSITIVE_INFINITY,
): string | null {
  if (deepest > deepestJson) return `its JSON is nested deeper than ${deepestJson}`;
  return things > most ? `it is made of more than ${most} lines, members and values` : null;
}
