import { createParser } from 'eventsource-parser';
import { Growing } from './growing.ts';

/** One server-sent event, and the form in which it was written. */
export interface ServerSentEvent {
  /** Value of the `event:` line. Undefined if the line is missing or empty. */
  readonly event: string | undefined;
  /** Values of the `data:` lines, joined by line feeds. */
  readonly data: string;
  /** True if the event has an `event:` line, even an empty one. */
  readonly hasEvent: boolean;
  /** True if the event has an `id:` line, even an empty one. */
  readonly hasId: boolean;
  /** Arrival time of the last byte, in milliseconds since the start of the run. */
  readonly at: number;
}

/** A line that begins with a colon. It has no meaning, and is allowed anywhere. */
export interface Comment {
  readonly text: string;
  /** Number of preceding events. */
  readonly after: number;
  /** Milliseconds since the start of the run. */
  readonly at: number;
}

const lineFeed = 10;
const carriageReturn = 13;
const byteOrderMark = '\u{FEFF}';

/**
 * Reads an event stream incrementally.
 *
 * eventsource-parser interprets the lines. Lines are split here, in the bytes, for three reasons. The parser waits
 * after a carriage return for the next character, so it would lose the last event of a stream that ends in one. It
 * looks for a byte order mark in the first piece only. It does not report where an event ends. Line ends never
 * occur inside a UTF-8 character, so a cut at any byte is safe.
 */
export class EventReader {
  readonly events: ServerSentEvent[] = [];
  readonly comments: Comment[] = [];

  #at = 0;
  /** The bytes of an incomplete line. */
  readonly #pending = new Growing();
  #afterReturn = false;
  #first = true;
  #lines: string[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      this.events.push({
        event,
        data,
        hasEvent: this.#lines.some((line) => isField(line, 'event')),
        hasId: this.#lines.some((line) => isField(line, 'id')),
        at: this.#at,
      });
    },
    onComment: (text) => {
      this.comments.push({ text, after: this.events.length, at: this.#at });
    },
  });

  constructor() {
    // The parser strips a wrongly decoded byte order mark from its first piece. A blank line before the stream has
    // no meaning and takes that place.
    this.#parser.feed('\n');
  }

  /**
   * Reads until the end of the piece or the last wanted event.
   *
   * @param at arrival time of the piece
   * @param isLast called once for each event
   * @returns number of bytes of the piece that were read
   */
  read(piece: Uint8Array, at: number, isLast?: (event: ServerSentEvent) => boolean): number {
    this.#at = at;
    let start = 0;
    for (let isOver = false; !isOver; ) {
      if (this.#afterReturn && start < piece.length) {
        this.#afterReturn = false;
        if (piece[start] === lineFeed) start++;
      }
      const end = lineEnd(piece, start);
      if (end === -1) {
        this.#pending.add(piece.subarray(start));
        return piece.length;
      }
      const rest = piece.subarray(start, end);
      this.#afterReturn = piece[end] === carriageReturn;
      start = end + 1;
      const before = this.events.length;
      this.#line(this.#withPending(rest));
      const event = this.events[before];
      isOver = event !== undefined && isLast?.(event) === true;
    }
    // The line feed of a closing CR LF belongs to the event that ends here.
    if (this.#afterReturn && piece[start] === lineFeed) {
      this.#afterReturn = false;
      start++;
    }
    return start;
  }

  /** The lines after the last blank line. The last of them may be cut. */
  unclosed(): string[] {
    const pending = this.#decode(this.#pending.view);
    return pending === '' ? [...this.#lines] : [...this.#lines, pending];
  }

  #withPending(rest: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return rest;
    this.#pending.add(rest);
    const line = this.#pending.view;
    this.#pending.clear();
    return line;
  }

  #decode(bytes: Uint8Array): string {
    const line = this.#decoder.decode(bytes);
    return this.#first && line.startsWith(byteOrderMark) ? line.slice(1) : line;
  }

  #line(bytes: Uint8Array): void {
    const line = this.#decode(bytes);
    this.#first = false;
    if (line !== '') this.#lines.push(line);
    this.#parser.feed(`${line}\n`);
    if (line === '') this.#lines = [];
  }
}

function lineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return at;
  }
  return -1;
}

function isField(line: string, field: string): boolean {
  return line === field || line.startsWith(`${field}:`);
}
