import { createReadStream } from 'node:fs';
import { budgets, openForeign } from '../../kernel/core/index.ts';
import { counted } from '../../kernel/report/index.ts';

interface EntryText {
  /** Index in `log.entries`, from 0. */
  readonly index: number;
  /** Offset of its first byte in the file. */
  readonly at: number;
  /** Text, or null if the entry is longer than the bound. */
  readonly text: string | null;
}

/** A file is not a HAR, or not complete. The readable part was read. */
export class BadHar extends Error {
  override readonly name = 'BadHar';
}

/** Maximum length of an entry. Longer ones hold no answer that is judged. The file may have any size. */
const longestEntry = budgets.exchange.bytes;

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const open: ReadonlySet<number> = new Set(Buffer.from('{['));
const close: ReadonlySet<number> = new Set(Buffer.from('}]'));
/** White space, including a byte order mark. */
const blank: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\u{feff}'));

interface OpenEntry {
  readonly at: number;
  readonly pieces: Uint8Array[];
  length: number;
}

/**
 * The entries of a HAR file, read one at a time: neither the whole file nor all entries are in memory.
 *
 * @throws {BadHar} at the end of the readable part, with the position and the reason
 */
export async function* harEntries(path: string): AsyncGenerator<EntryText> {
  const reader = new EntryReader(path);
  try {
    for await (const piece of createReadStream(path, { fd: openForeign(path) }))
      yield* reader.read(piece);
  } catch (error) {
    if (error instanceof BadHar) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BadHar(`${path} cannot be read: ${why}`);
  }
  reader.end();
}

/** Finds the entries without parsing JSON: brackets and strings are enough to find the end of each. */
class EntryReader {
  readonly #path: string;
  #at = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The current string, which may be the name of a member. */
  #name: number[] = [];
  /** The last string at each of the first levels: the name of the member that follows. */
  readonly #names: string[] = [];
  #entry: OpenEntry | null = null;
  #inEntries = false;
  #hasEntries = false;
  #isOver = false;
  #count = 0;
  #beginning = '';

  constructor(path: string) {
    this.#path = path;
  }

  *read(piece: Buffer): Generator<EntryText> {
    if (this.#beginning.length < 40) this.#beginning += piece.toString('utf8', 0, 60);
    let from = 0;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index] ?? 0;
      const at = this.#at + index;
      if (this.#inText) {
        this.#text(byte);
        continue;
      }
      if (byte === quote) {
        this.#inText = true;
        this.#name = [];
      } else if (open.has(byte)) {
        if (this.#depth === 0 && this.#isOver) this.#fail(at, 'something follows behind its end');
        if (this.#depth === 2 && this.#isNamed('log', 'entries')) {
          this.#inEntries = true;
          this.#hasEntries = true;
        }
        if (this.#depth === 3 && this.#inEntries) {
          this.#entry = { at, pieces: [], length: 0 };
          from = index;
        }
        this.#depth++;
      } else if (close.has(byte)) {
        this.#depth--;
        if (this.#depth < 0) this.#fail(at, 'a bracket is closed that was not opened');
        if (this.#depth === 3 && this.#entry !== null) {
          this.#keep(piece.subarray(from, index + 1));
          yield this.#ended(this.#entry);
        }
        if (this.#depth === 2) this.#inEntries = false;
        if (this.#depth === 0) this.#isOver = true;
      } else if (this.#depth === 0 && !blank.has(byte)) {
        this.#fail(at, `it begins with ${JSON.stringify(this.#beginning.slice(0, 30))}`);
      }
    }
    if (this.#entry !== null) this.#keep(piece.subarray(from));
    this.#at += piece.length;
  }

  /** Signals the end of the file. @throws {BadHar} */
  end(): void {
    if (this.#beginning.trim() === '') throw new BadHar(`${this.#path} is empty.`);
    if (this.#depth > 0) {
      const where =
        this.#entry === null
          ? `behind ${counted(this.#count, 'entry', 'entries')}`
          : `within log.entries[${this.#count}], which begins at byte ${this.#entry.at}`;
      throw new BadHar(
        `${this.#path} is cut short: it ends at byte ${this.#at}, ${where}. ` +
          'What stands before that was read.',
      );
    }
    if (!this.#hasEntries) this.#fail(0, 'it has no `log.entries`');
  }

  #text(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#inText = false;
      if (this.#depth < 3) this.#names[this.#depth] = Buffer.from(this.#name).toString();
      return;
    }
    if (this.#depth < 3 && this.#name.length < 20) this.#name.push(byte);
  }

  #isNamed(...names: readonly string[]): boolean {
    return names.every((name, index) => this.#names[index + 1] === name);
  }

  #keep(piece: Uint8Array): void {
    if (this.#entry === null) return;
    this.#entry.length += piece.length;
    if (this.#entry.length <= longestEntry) this.#entry.pieces.push(Uint8Array.from(piece));
    else this.#entry.pieces.length = 0;
  }

  #ended({ at, pieces, length }: OpenEntry): EntryText {
    this.#entry = null;
    const text = length > longestEntry ? null : Buffer.concat(pieces).toString();
    return { index: this.#count++, at, text };
  }

  #fail(at: number, why: string): never {
    throw new BadHar(
      `${this.#path} is no HAR file (at byte ${at}): ${why}. A HAR is JSON with \`log.entries\`: ` +
        'save one with "Export HAR" of a browser, or with `mitmdump --set hardump=FILE`.',
    );
  }
}
