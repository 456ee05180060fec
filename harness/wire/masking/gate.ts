import { writeFileSync } from 'node:fs';
import { Finder, mayBeWord } from './finder.ts';
import { maskEncoded } from './mask-encoded.ts';
import { Masked } from './maskable.ts';

// The last gate: whatever this process writes, on a terminal or into a file, comes through here. Exchanges are masked
// when they are made, so nothing should be left to find; what is found all the same is masked, and said.

/** Shorter ones are masked only where they are sent. */
const shortest = 8;

/** So many are kept, the latest: a proxy learns those of all its clients. */
const mostKept = 1_000;

const kept = new Set<string>();
const places = new Set<string>();
let finder: Finder | null = null;

/** From now on nothing that this process writes shows these. */
export function keepIn(secrets: Iterable<string>): void {
  for (const secret of secrets) {
    if (secret.length < shortest || kept.has(secret)) continue;
    // Reports could not be read without our own words.
    if (mayBeWord(secret)) continue;
    kept.add(secret);
    const [first] = kept;
    if (kept.size > mostKept && first !== undefined) kept.delete(first);
    finder = null;
  }
}

/** For tests: what comes next is of another user. */
export function forgetKept(): void {
  kept.clear();
  places.clear();
  finder = null;
}

/** Where a secret would have appeared, since it was last asked. */
export function keptFrom(): readonly string[] {
  const all = [...places];
  places.clear();
  return all;
}

/**
 * A text on its way out, without secrets.
 *
 * @param where it goes, in the words of a reader
 */
export function leaving(text: string, where: string): string {
  if (kept.size === 0) return text;
  const bytes = Buffer.from(text);
  const whole = new Masked(bytes);
  maskEncoded(whole, sought());
  if (whole.bytes === bytes) return text;
  places.add(where);
  return Buffer.from(whole.bytes).toString();
}

/** Writes a file: the only way in which a command does. */
export function writeText(file: string, text: string): void {
  writeFileSync(file, leaving(text, file));
}

/** The same for what is written piece by piece: a secret may begin in one and end in the next. */
export class LeavingInPieces {
  readonly #where: string;
  #held = '';

  /** @param where it goes, in the words of a reader */
  constructor(where: string) {
    this.#where = where;
  }

  /** @returns what may go out now: the beginning of a secret waits for what comes behind it */
  next(piece: string): string {
    const text = leaving(this.#held + piece, this.#where);
    this.#held = '';
    if (kept.size === 0 || text.endsWith('\n')) return text;
    const begun = sought().begunAtEnd(Buffer.from(text), shortest);
    if (begun === 0) return text;
    this.#held = Buffer.from(text).subarray(-begun).toString();
    return text.slice(0, text.length - this.#held.length);
  }

  /** What waits: no more comes. */
  rest(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }
}

function sought(): Finder {
  finder ??= new Finder(Object.fromEntries([...kept].entries()), shortest);
  return finder;
}
