import { createParser } from 'eventsource-parser';
import { Growing } from './growing.ts';

/** One server-sent event, and how it was written. */
export interface ServerSentEvent {
  /** Value of its `event:` line; undefined when there was none, or an empty one. */
  readonly event: string | undefined;
  /** Values of its `data:` lines, joined by line feeds. */
  readonly data: string;
  /** True when an `event:` line stood in it, whatever it said. */
  readonly hasEvent: boolean;
  /** True when an `id:` line stood in it, whatever it said. */
  readonly hasId: boolean;
  /** Time of its last byte, in milliseconds since the start of the run. */
  readonly at: number;
}

/** A line that begins with a colon. It means nothing, and is allowed anywhere. */
export interface Comment {
  readonly text: string;
  /** Number of events before it. */
  readonly after: number;
  /** Milliseconds since the start of the run. */
  readonly at: number;
}

const lineFeed = 10;
const carriageReturn = 13;
const byteOrderMark = '\u{FEFF}';

/**
 * Reads an event stream piece by piece.
 *
 * eventsource-parser says what each line means. Lines are found here, in the bytes: the parser waits
 * at a carriage return for what follows it, so a stream that ends in one would lack its last event;
 * it looks for a byte order mark in the first piece only; and it does not tell where an event ends.
 * Line ends never stand inside a character of UTF-8, so a cut at any byte changes nothing.
 */
export class EventReader {
  readonly events: ServerSentEvent[] = [];
  readonly comments: Comment[] = [];

  #at = 0;
  /** The bytes of a line whose end has not come. */
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
    // The parser strips what looks like a byte order mark in wrong characters from its first piece;
    // a blank line before the stream means nothing and takes that place.
    this.#parser.feed('\n');
  }

  /**
   * Reads on, until the piece ends or an event is the last one that is wanted.
   *
   * @param at when the piece came
   * @param isLast is asked once for each event
   * @returns how many bytes of the piece were read
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
    // The line feed of a closing CR LF belongs to the event that is cut off here.
    if (this.#afterReturn && piece[start] === lineFeed) {
      this.#afterReturn = false;
      start++;
    }
    return start;
  }

  /** The lines, the last one perhaps cut, that no blank line has closed. */
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
