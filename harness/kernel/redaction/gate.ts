import {
  chmodSync,
  copyFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { threadId } from 'node:worker_threads';
import { Finder, mayBeWord } from './finder.ts';
import { maskEncoded, type Seeker } from './mask-encoded.ts';
import { Masked } from './maskable.ts';
import { allShapes } from './shapes.ts';
import { modeOf } from './used-paths.ts';

// The last gate: everything that this process writes to a terminal or a file passes it. Exchanges are masked when
// they are recorded, so a match here is an error: it is masked and reported.

/** Minimum length of a secret that is searched for. Shorter ones are masked only where they are sent. */
const shortest = 8;

/** Maximum number of secrets. The latest are kept, because a proxy learns those of all its clients. */
const mostKept = 1_000;

const kept = new Set<string>();
const open = new Set<string>();
const places = new Set<string>();
let finder: Finder | null = null;

/** Masks these secrets in everything that this process writes from now on. */
export function keepIn(secrets: Iterable<string>): void {
  for (const secret of secrets) {
    if (secret.length < shortest || kept.has(secret)) continue;
    // Masking a word would make reports unreadable.
    if (mayBeWord(secret)) continue;
    kept.add(secret);
    const [first] = kept;
    if (kept.size > mostKept && first !== undefined) kept.delete(first);
    finder = null;
  }
}

/** Exempts values from masking although they have the shape of keys, such as those of a mock. */
export function showOpenly(values: Iterable<string>): void {
  for (const value of values) open.add(value);
}

/** Forgets all secrets. For tests that simulate another user. */
export function forgetKept(): void {
  kept.clear();
  places.clear();
  finder = null;
}

/** Returns the places where a secret would have appeared since the last call. */
export function keptFrom(): readonly string[] {
  const all = [...places];
  places.clear();
  return all;
}

/**
 * Returns a text for output, with secrets masked.
 *
 * @param where destination, in words for a reader
 */
export function leaving(text: string, where: string): string {
  const bytes = Buffer.from(text);
  const whole = new Masked(bytes);
  const found = new Set<string>();
  maskEncoded(whole, everyKey(), found);
  if (found.size > 0) places.add(where);
  return whole.bytes === bytes ? text : Buffer.from(whole.bytes).toString();
}

/**
 * Writes a file atomically: a reader finds the old content or all of the new, even if the disk is full or two runs
 * write it. Commands use no other function for it.
 */
export function writeText(file: string, text: string): void {
  const clean = leaving(text, file);
  const there = statSync(file, { throwIfNoEntry: false });
  // A device or a pipe is written to, not replaced.
  if (there?.isFile() === false) {
    writeFileSync(file, clean);
    return;
  }
  const path = there === undefined ? file : realpathSync(file);
  const unfinished = `${path}.${process.pid}-${threadId}.tmp`;
  try {
    // A link that somebody else made under this name is not followed.
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, clean, { flag: 'wx', mode: 0o600 });
    chmodSync(unfinished, modeOf(file));
    moveTo(path, unfinished);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function moveTo(path: string, finished: string): void {
  try {
    renameSync(finished, path);
  } catch {
    // A file that is a mount point, as in a container, can be written but not replaced.
    copyFileSync(finished, path);
  }
}

/** Masks secrets in a text that is written in pieces: a secret may begin in one piece and end in the next. */
export class LeavingInPieces {
  readonly #where: string;
  #held = '';

  /** @param where destination, in words for a reader */
  constructor(where: string) {
    this.#where = where;
  }

  /** @returns text that may be written now. A possible start of a secret waits for the next piece */
  next(piece: string): string {
    const text = leaving(this.#held + piece, this.#where);
    this.#held = '';
    if (kept.size === 0 || text.endsWith('\n')) return text;
    const begun = sought().begunAtEnd(Buffer.from(text), shortest);
    if (begun === 0) return text;
    this.#held = Buffer.from(text).subarray(-begun).toString();
    return text.slice(0, text.length - this.#held.length);
  }

  /** Returns the pending text, when no more pieces follow. */
  rest(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }
}

/** Finds what is kept in, and keys of any origin by their shape. */
function everyKey(): Seeker {
  const own = sought();
  return {
    hits: (bytes) => own.hits(bytes),
    broken: (bytes) => own.broken(bytes),
    shapes: (bytes) =>
      allShapes
        .hits(bytes)
        .filter(({ from, to }) => open.size === 0 || !open.has(latin1(bytes.subarray(from, to)))),
  };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function sought(): Finder {
  finder ??= new Finder(Object.fromEntries([...kept].entries()), shortest);
  return finder;
}
