import { decode } from './decode.ts';
import { type Kept, squeezed } from './squeeze.ts';

/** The start and the end of a secret in bytes. */
export interface Hit {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** A secret in parts, with the position of each byte. */
export interface BrokenHit {
  readonly name: string;
  readonly places: Uint32Array;
}

interface Form {
  readonly name: string;
  /** Length of the secret itself. */
  readonly length: number;
  readonly isWord: boolean;
  readonly bytes: Buffer;
  /** `bytes` in lower case. */
  readonly folded: Buffer;
}

/**
 * Minimum number of letters and digits of a secret that is also searched for in parts. The parts of shorter ones
 * may occur by chance.
 */
const fewestLetters = 16;

/**
 * Finds secrets in bytes, in every notation that is known to occur in answers, logs and headers, and in any letter
 * case. Finds them in one piece and wrapped over lines.
 */
export class Finder {
  readonly #forms: readonly Form[];
  readonly #whole: Search;
  readonly #wrapped: Search;
  readonly #letters: Search;
  /** True if a wrapped secret may be found by its own form and not by its letters. */
  readonly #hasShort: boolean;

  /** @param shortest minimum length of a secret that is searched for */
  constructor(secrets: Readonly<Record<string, string>>, shortest: number) {
    const all = Object.entries(secrets).filter(([, secret]) => secret.length >= shortest);
    const forms = (
      of: readonly (readonly [string, string])[],
      written: (form: string) => string,
      least: number,
    ): Form[] =>
      of.flatMap(([name, secret]) =>
        [...new Set(formsOf(secret).map(written))]
          .filter((form) => form.length >= least)
          .map((form): Form => {
            const bytes = Buffer.from(form, 'latin1');
            const isWord = mayBeWord(secret);
            return { name, length: secret.length, isWord, bytes, folded: folded(bytes) };
          }),
      );
    const noWords = all.filter(([, secret]) => !mayBeWord(secret));
    const lettersOf = (form: string): string => form.replace(/[^A-Za-z0-9\x80-\xff]+/g, '');
    this.#forms = forms(all, (form) => form, shortest);
    this.#whole = new Search(this.#forms);
    const wrapped = forms(noWords, (form) => form.replace(/\s+/g, ''), shortest);
    this.#wrapped = new Search(wrapped);
    this.#letters = new Search(forms(noWords, lettersOf, fewestLetters));
    this.#hasShort = wrapped.some(
      ({ bytes }) => lettersOf(bytes.toString('latin1')).length < fewestLetters,
    );
  }

  /** Returns how many bytes at the end may begin a secret: at least `least`, or 0. */
  begunAtEnd(text: Uint8Array, least: number): number {
    let most = 0;
    for (const { folded } of this.#forms) {
      const longest = Math.min(folded.length - 1, text.length);
      for (let length = longest; length >= Math.max(least, most + 1); length--) {
        if (isAt(text, text.length - length, folded.subarray(0, length))) most = length;
      }
    }
    return most;
  }

  /**
   * Returns all matches, including overlapping ones: exact matches first, then by descending length.
   *
   * @param words true to include exact matches of secrets that may be words
   */
  hits(text: Uint8Array, words = true): readonly Hit[] {
    return this.#whole.hits(text, words);
  }

  /** Finds secrets that are split by white space, marks or other characters that are not letters. */
  broken(text: Uint8Array): readonly BrokenHit[] {
    const byLetters = brokenIn(text, this.#letters, 'letters');
    // A secret that is only wrapped has its letters in the same order.
    if (byLetters.length === 0 && !this.#hasShort) return [];
    return [...brokenIn(text, this.#wrapped, 'all but breaks'), ...byLetters];
  }
}

function brokenIn(text: Uint8Array, search: Search, kept: Kept): BrokenHit[] {
  const copy = search.isEmpty ? null : squeezed(text, kept);
  const hits = copy === null ? [] : search.hits(copy, false);
  if (hits.length === 0) return [];
  // Positions are only computed for texts with a match.
  const places = new Uint32Array(text.length);
  squeezed(text, kept, places);
  return hits.map(({ from, to, name }) => ({ name, places: places.subarray(from, to) }));
}

/**
 * Searches for all forms in one pass by the algorithm of Wu and Manber, which skips bytes according to the last
 * pair of bytes in its window.
 */
class Search {
  /** Length of the window: that of the shortest form. */
  readonly #window: number;
  /** Distance to move the window, by the last pair of bytes in it. */
  readonly #shifts: Uint8Array;
  /** Forms by the pair of bytes at the end of their window-sized prefix. */
  readonly #forms = new Map<number, Form[]>();

  constructor(forms: readonly Form[]) {
    this.#window = Math.min(255, ...forms.map(({ bytes }) => bytes.length));
    this.#shifts = new Uint8Array(forms.length === 0 ? 0 : 0x10000).fill(this.#window - 1);
    for (const form of forms) {
      for (let end = 1; end < this.#window; end++) {
        const pair = pairAt(form.folded, end);
        const shift = this.#window - 1 - end;
        if (shift < (this.#shifts[pair] ?? 0)) this.#shifts[pair] = shift;
        if (shift === 0) this.#forms.set(pair, [...(this.#forms.get(pair) ?? []), form]);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#shifts.length === 0;
  }

  hits(text: Uint8Array, words: boolean): readonly Hit[] {
    if (this.isEmpty) return [];
    const hits: (Hit & { readonly exact: boolean; readonly length: number })[] = [];
    for (let end = this.#window - 1; end < text.length; ) {
      const pair = pairAt(text, end);
      const shift = this.#shifts[pair] ?? 0;
      end += shift;
      if (shift > 0) continue;
      const from = end + 1 - this.#window;
      for (const { name, length, isWord, bytes, folded } of this.#forms.get(pair) ?? []) {
        if (!isAt(text, from, folded)) continue;
        const to = from + bytes.length;
        const exact = bytes.compare(text, from, to) === 0;
        if (!isWord || (exact && words)) hits.push({ from, to, name, length, exact });
      }
      end++;
    }
    return hits.sort(
      (one, other) => Number(other.exact) - Number(one.exact) || other.length - one.length,
    );
  }
}

function pairAt(text: Uint8Array, end: number): number {
  return (lowerCase(text[end - 1] ?? 0) << 8) | lowerCase(text[end] ?? 0);
}

function isAt(text: Uint8Array, from: number, form: Uint8Array): boolean {
  if (from + form.length > text.length) return false;
  for (let at = 0; at < form.length; at++) {
    if (lowerCase(text[from + at] ?? 0) !== form[at]) return false;
  }
  return true;
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function folded(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map(lowerCase));
}

/** Maximum length of a secret that may be a word. */
const longestWord = 20;

/** True if a key looks like a word that texts may contain by chance, such as Touchstone's own reports: `responses`. */
export function mayBeWord(secret: string): boolean {
  return secret.length <= longestWord && /^[a-z]+(?:[-_./ ][a-z]+)*$/i.test(secret);
}

/** The notations of a secret that `decode` does not decode. Each character is a byte. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const pairs = hex.match(/../g) ?? [];
  const forms = new Set([
    bytes.toString('latin1'),
    // The end of a key, together with the text behind it, may look like an encoded character.
    bytes.toString('latin1').replace(/(?:\\+|%[0-9a-f]?)$/i, ''),
    // In a query string, a space is a plus sign.
    new URLSearchParams({ '': secret }).toString().slice(1),
    hex,
    ...[' ', ':', '-', ', '].map((separator) => pairs.join(separator)),
    ...pairs.slice(0, 1).map(() => pairs.map((pair) => `0x${pair}`).join(', ')),
    // JSON writes a buffer as a list of bytes, with or without spaces.
    bytes.join(','),
    bytes.join(', '),
  ]);
  for (const base64 of base64Of(bytes)) {
    forms.add(base64);
    for (const twice of base64Of(Buffer.from(base64))) forms.add(twice);
  }
  // A secret that contains an apparent encoding is decoded together with the text around it.
  for (let again = decode(bytes); again !== null; again = decode(again.bytes)) {
    forms.add(again.bytes.toString('latin1'));
  }
  return [...forms].filter((form) => form !== '');
}

/** Returns a secret in both base64 alphabets, for each position in a group of three bytes. */
function base64Of(secret: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const base64 = base64Behind(secret, before);
    return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Returns the base64 digits that depend on a secret alone, if it follows `before` bytes (modulo 3) of a longer
 * text, such as `key:` or `user:key`.
 */
function base64Behind(secret: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + secret.length) * 8) / 6);
  return digits.slice(first, end);
}
