/** Deeper JSON is not read: no protocol nests half as deep, and what compares or writes values calls itself. */
export const deepestJson = 500;

/** Brackets, commas and colons of one answer, and its lines; more is not read. */
export const mostThings = 200_000;

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openObject = 0x7b;
const openList = 0x5b;

/**
 * Counts what a text is made of before anybody reads it: how many bytes it has says little about what it takes to
 * keep what it holds. Knows just enough of JSON for that; what is no JSON is counted all the same.
 */
export class Meter {
  /** Lines, and brackets, commas and colons outside of texts. */
  things = 0;
  deepest = 0;
  /** The character that was seen last ends a line with JSON of its own. */
  isAtLine = false;
  readonly #byLines: boolean;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** @param byLines each line holds JSON of its own, as in an event stream */
  constructor(byLines: boolean) {
    this.#byLines = byLines;
  }

  /** The next character, or the next byte of UTF-8. */
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

/** Returns the reason why a JSON text is too large to parse; null if it may be parsed. */
export function tooMuchJson(text: string): string | null {
  if (openedIn(text) <= deepestJson) return null;
  const meter = new Meter(false);
  for (let at = 0; at < text.length; at++) meter.see(text.charCodeAt(at));
  return overBound(meter);
}

/** Brackets that open a level, or stand within a text: most have too few for too many levels. */
function openedIn(text: string): number {
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === openObject || code === openList) opened++;
  }
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
