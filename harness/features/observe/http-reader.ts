import type { HeaderLines } from '../../kernel/core/index.ts';
import { Growing } from '../../kernel/wire/index.ts';

export interface Head {
  readonly startLine: string;
  readonly headers: HeaderLines;
  /** Bytes of the head, including the blank line that ends it. */
  readonly bytes: Buffer;
}

/** Framing of a message, which determines where its body ends. */
export type Framing =
  | { readonly by: 'nothing' }
  | { readonly by: 'length'; readonly length: number }
  | { readonly by: 'chunks' }
  /** The body ends with the connection. */
  | { readonly by: 'end' }
  /** The following bytes are no longer HTTP. */
  | { readonly by: 'switch' };

interface HttpHandlers {
  /** Called with a complete head. Returns the framing of the following body, and the bytes to pass on. */
  head(head: Head): { readonly framing: Framing; readonly bytes: Buffer };
  /** Called with bytes of the body, without framing. */
  payload(bytes: Buffer): void;
  /** Called at the end of a message. */
  end(): void;
  /** Called with bytes that are not HTTP or follow a switch of protocols. Nothing is parsed from here on. */
  switched(rest: Buffer): void;
}

/** Maximum length of a head, far above that of any known client or gateway. */
const longestHead = 1024 * 1024;
const longestChunkLine = 64 * 1024;

type State =
  | 'head'
  | 'length'
  | 'chunk-line'
  | 'chunk'
  | 'chunk-end'
  | 'trailer'
  | 'end'
  | 'switched';

/** Reads the messages of one direction of a connection, piece by piece. It changes nothing, and judges nothing. */
export class HttpReader {
  readonly #handlers: HttpHandlers;
  #state: State = 'head';
  /** Bytes of an incomplete line or head. */
  readonly #pending = new Growing();
  /** Remaining bytes of the body, or of a chunk. */
  #left = 0;

  constructor(handlers: HttpHandlers) {
    this.#handlers = handlers;
  }

  /** @returns bytes to pass on: unchanged, but heads are delayed until they are complete */
  read(piece: Buffer): Buffer {
    const out: Buffer[] = [];
    for (let rest = piece; rest.length > 0; ) {
      if (this.#state === 'head') {
        rest = this.#head(rest, out);
      } else {
        const unchanged = rest;
        do rest = this.#step(rest);
        while (rest.length > 0 && !this.#isAtHead);
        out.push(unchanged.subarray(0, unchanged.length - rest.length));
      }
    }
    return out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out);
  }

  get #isAtHead(): boolean {
    return this.#state === 'head';
  }

  /** Signals the end of the connection. Returns true if it ends a message. */
  ended(): boolean {
    if (this.#state !== 'end') return false;
    this.#over();
    return true;
  }

  /**
   * Stops parsing, because the following bytes are not HTTP.
   *
   * @returns bytes that were delayed as a possible head
   */
  switch(): Buffer {
    const held = this.#isAtHead ? this.#pending.view : Buffer.alloc(0);
    this.#pending.clear();
    this.#state = 'switched';
    return held;
  }

  /** Continues after a head. @returns the rest of the piece */
  #step(piece: Buffer): Buffer {
    switch (this.#state) {
      case 'length':
      case 'chunk': {
        const now = piece.subarray(0, this.#left);
        this.#left -= now.length;
        this.#handlers.payload(now);
        if (this.#left === 0) {
          if (this.#state === 'length') this.#over();
          else this.#state = 'chunk-end';
        }
        return piece.subarray(now.length);
      }
      case 'end':
        this.#handlers.payload(piece);
        return Buffer.alloc(0);
      case 'switched':
        this.#handlers.switched(piece);
        return Buffer.alloc(0);
      default:
        return this.#line(piece);
    }
  }

  #head(piece: Buffer, out: Buffer[]): Buffer {
    const before = this.#pending.length;
    this.#pending.add(piece);
    const all = this.#pending.view;
    const length = headLength(all, before);
    if (length === -1) {
      if (all.length <= longestHead) return Buffer.alloc(0);
      this.switch();
      return all;
    }
    this.#pending.clear();
    const { framing, bytes } = this.#handlers.head(headOf(all.subarray(0, length)));
    out.push(bytes);
    switch (framing.by) {
      case 'nothing':
        this.#over();
        break;
      case 'length':
        this.#left = framing.length;
        if (framing.length === 0) this.#over();
        else this.#state = 'length';
        break;
      case 'chunks':
        this.#state = 'chunk-line';
        break;
      case 'end':
        this.#state = 'end';
        break;
      case 'switch':
        this.#state = 'switched';
    }
    return all.subarray(length);
  }

  /** Reads a line within a chunked body. */
  #line(piece: Buffer): Buffer {
    const feed = piece.indexOf('\n');
    const end = feed === -1 ? piece.length : feed + 1;
    const rest = piece.subarray(end);
    let bytes = piece.subarray(0, end);
    if (feed === -1 || this.#pending.length > 0) {
      this.#pending.add(bytes);
      bytes = this.#pending.view;
      if (feed === -1) {
        if (bytes.length > longestChunkLine) this.switch();
        return rest;
      }
      this.#pending.clear();
    }
    const line = bytes.toString('latin1').replace(/\r?\n$/, '');
    if (this.#state === 'chunk-end') {
      this.#state = 'chunk-line';
    } else if (this.#state === 'trailer') {
      if (line === '') this.#over();
    } else {
      const [size] = /^[0-9A-Fa-f]+/.exec(line) ?? [];
      if (size === undefined) this.switch();
      else {
        this.#left = Number.parseInt(size, 16);
        this.#state = this.#left === 0 ? 'trailer' : 'chunk';
      }
    }
    return rest;
  }

  #over(): void {
    this.#state = 'head';
    this.#handlers.end();
  }
}

/**
 * Length of a head with its blank line, or -1 if it is incomplete.
 *
 * @param read number of bytes that were looked at before
 */
function headLength(bytes: Buffer, read: number): number {
  let start = 0;
  // A client may send an empty line before a request.
  while (bytes[start] === 13 || bytes[start] === 10) start++;
  const from = Math.max(start, read - 3);
  for (let feed = bytes.indexOf(10, from); feed !== -1; feed = bytes.indexOf(10, feed + 1)) {
    if (bytes[feed + 1] === 10) return feed + 2;
    if (bytes[feed + 1] === 13 && bytes[feed + 2] === 10) return feed + 3;
  }
  return -1;
}

function headOf(bytes: Buffer): Head {
  const [startLine = '', ...lines] = bytes.toString('latin1').trim().split(/\r?\n/);
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { startLine, headers, bytes };
}

/** The single values of a header, in lower case. */
export function valuesOf(headers: HeaderLines, name: string): readonly string[] {
  return headers
    .filter(([one]) => one.toLowerCase() === name)
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim().toLowerCase());
}

/** Returns the framing that the headers of a message declare, or null if they declare none. */
export function framedBy(headers: HeaderLines): Framing | null {
  if (valuesOf(headers, 'transfer-encoding').at(-1) === 'chunked') return { by: 'chunks' };
  const [length] = valuesOf(headers, 'content-length');
  if (length === undefined) return null;
  return /^\d+$/.test(length) ? { by: 'length', length: Number(length) } : { by: 'end' };
}
