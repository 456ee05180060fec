import { joined, type Maskable, type Part } from './maskable.ts';

/** Maximum number of strings of one answer that are joined. No usual stream has more. */
const mostFragments = 100_000;
/** Maximum depth at which enclosing indexes are considered. */
const deepest = 16;
/** Length of a member's path at which a new path begins. */
const longestPath = 512;
/** Number of characters of a member's name that are kept, enough to distinguish it. */
const longestName = 64;

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

interface Level {
  readonly above: Level | null;
  readonly path: string;
  readonly isList: boolean;
  /** Name of the member whose value comes next. */
  name: string;
  /** Declared indexes of the output, content or choice that this level belongs to. */
  numbers: string;
}

interface Fragment extends Part {
  readonly path: string;
  readonly level: Level | null;
}

/**
 * Joins the strings of an answer that form one text: a stream sends it in many events, and a socket in many frames.
 * Strings belong together if they have the same path in their events. In a second reading, they must also have the
 * same index of output, content or choice, because several of them may alternate. No knowledge of a protocol is
 * needed. Reads any JSON, event streams and lines, and tolerates errors in them.
 */
export class Fragments {
  readonly #channels = new Map<string, Part[]>();
  #count = 0;
  /** Fragments of the current event. */
  #pending: Fragment[] = [];
  #level: Level | null = null;

  /** Reads a body, or the next frame. */
  read(of: Maskable): void {
    const { bytes } = of;
    this.#level = null;
    let isLineStart = true;
    for (let at = 0; at < bytes.length && this.#count < mostFragments; ) {
      const byte = bytes[at];
      if (isLineStart) {
        isLineStart = false;
        if (byte === lineFeed || byte === carriageReturn) this.#endEvent();
        at = this.#beginLine(of, at);
      } else if (byte === quote) {
        at = this.#string(of, at);
      } else {
        if (byte === openObject || byte === openList) this.#open(byte === openList);
        else if (byte === closeObject || byte === closeList) this.#close();
        else if (byte === lineFeed || byte === carriageReturn) {
          isLineStart = true;
          if (byte === carriageReturn && bytes[at + 1] === lineFeed) at++;
        } else if (byte !== undefined && isDigit(byte)) this.#number(bytes, at);
        at++;
      }
    }
    this.#endEvent();
  }

  /** Texts that consist of more than one piece. */
  texts(): readonly Maskable[] {
    return [...this.#channels.values()].filter((parts) => parts.length > 1).map(joined);
  }

  /** @returns start of the line's JSON, or the next line */
  #beginLine(of: Maskable, at: number): number {
    const { bytes } = of;
    let start = at;
    while (start < at + longestName && isLetter(bytes[start])) start++;
    const isField = bytes[start] === colon;
    if (!isField && this.#level !== null) return at;
    start = afterSpaces(bytes, isField ? start + 1 : at);
    const first = bytes[start];
    const isJson = first === openObject || first === openList || first === quote;
    let end = start;
    while (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn) end++;
    if (isField || !isJson) {
      // A line that looks like JSON may be a piece of some other text.
      const field = isField ? latin1(bytes, at, Math.min(start, at + longestName)) : '';
      this.#add({ of, from: start, to: end, path: `${field} line`, level: null });
    }
    // A field within JSON continues it, as in an event of several lines.
    return isJson || this.#level !== null ? start : end;
  }

  #open(isList: boolean): void {
    const above = this.#level;
    const path = above === null || above.path.length > longestPath ? '' : pathIn(above);
    this.#level = { above, path, isList, name: '', numbers: '' };
  }

  #close(): void {
    this.#level = this.#level?.above ?? null;
  }

  #string(of: Maskable, at: number): number {
    const { bytes } = of;
    let end = at + 1;
    while (end < bytes.length && bytes[end] !== quote && bytes[end] !== lineFeed) {
      end += bytes[end] === backslash ? 2 : 1;
    }
    end = Math.min(end, bytes.length);
    const next = bytes[end] === quote ? end + 1 : end;
    const level = this.#level;
    if (level !== null && !level.isList && bytes[afterSpaces(bytes, next)] === colon) {
      level.name = latin1(bytes, at + 1, Math.min(end, at + 1 + longestName));
    } else {
      this.#add({ of, from: at + 1, to: end, path: level === null ? '' : pathIn(level), level });
    }
    return next;
  }

  #number(bytes: Uint8Array, at: number): void {
    const level = this.#level;
    if (level === null || level.numbers.length > longestName || !/index$/i.test(level.name)) return;
    let end = at;
    while (end < at + longestName && isDigit(bytes[end])) end++;
    level.numbers += `${level.name}=${latin1(bytes, at, end)} `;
    level.name = '';
  }

  #add(fragment: Fragment): void {
    if (fragment.from === fragment.to) return;
    this.#count++;
    this.#pending.push(fragment);
  }

  /** Adds the event's fragments, now that all its members are known. */
  #endEvent(): void {
    for (const { of, from, to, path, level } of this.#pending) {
      const part = { of, from, to };
      this.#join(path, part);
      const numbers = numbersOf(level);
      if (numbers !== '') this.#join(`${path} ${numbers}`, part);
    }
    this.#pending = [];
    this.#level = null;
  }

  #join(channel: string, part: Part): void {
    const parts = this.#channels.get(channel);
    if (parts === undefined) this.#channels.set(channel, [part]);
    else parts.push(part);
  }
}

function pathIn({ path, isList, name }: Level): string {
  return isList ? `${path}[]` : `${path}.${name}`;
}

function numbersOf(level: Level | null): string {
  let numbers = '';
  let one = level;
  for (let depth = 0; one !== null && depth < deepest; depth++) {
    numbers += one.numbers;
    one = one.above;
  }
  return numbers;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, to);
}

function afterSpaces(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === space || bytes[at] === tab) at++;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}
