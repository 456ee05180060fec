import {
  deepestJson,
  type HeaderLines,
  Meter,
  mostThings,
  overBound,
  type ReceivedResponse,
} from '../core/index.ts';
import { EventReader, type ServerSentEvent } from './event-reader.ts';
import { mostHeaderBytes } from './failure.ts';
import { Growing } from './growing.ts';
import { Marks } from './marks.ts';
import type { Cut } from './request.ts';

/** Maximum number of header lines in one head, over four times as many as usual gateways send. */
const mostHeaderLines = 256;

/** Number of pieces that cost as much memory as one line or value. */
const piecesPerThing = 4;

/** Number of bytes that are kept of an answer that exceeds a bound. */
const keptOfTooLarge = 64 * 1024;

/** Collects an incoming answer within its bounds: bytes, and lines or values. */
export class Reception {
  headersAt: number | null = null;
  complete = false;
  /** Description of the bound that was exceeded, or null if none was. */
  over: string | null = null;
  #head: { readonly status: number; readonly headers: HeaderLines } | null = null;
  readonly #body: Growing;
  readonly #marks = new Marks();
  readonly #maxBytes: number;
  readonly #maxThings: number;
  readonly #maxHeaderBytes: number;
  readonly #cut: Cut | null;
  #pieces = 0;
  #meter = new Meter(false);
  /** Offset of the current line of an event stream. */
  #line = 0;
  /** Number of received events that count towards the cut. */
  #counted = 0;
  readonly #events = new EventReader();
  #onFirstEvent: ((data: string) => void) | null;

  constructor(bounds: {
    readonly maxBytes: number;
    readonly maxThings?: number | undefined;
    readonly maxHeaderBytes?: number | undefined;
    readonly cut: Cut | null;
    readonly onFirstEvent: ((data: string) => void) | null;
  }) {
    this.#maxBytes = bounds.maxBytes;
    this.#body = new Growing(bounds.maxBytes);
    this.#maxThings = bounds.maxThings ?? mostThings;
    this.#maxHeaderBytes = bounds.maxHeaderBytes ?? mostHeaderBytes;
    this.#cut = bounds.cut;
    this.#onFirstEvent = bounds.onFirstEvent;
  }

  get status(): number | null {
    return this.#head?.status ?? null;
  }

  get bytes(): number {
    return this.#body.length;
  }

  /** @returns why the exchange ends here, or null if it continues */
  head(status: number, headers: HeaderLines, at: number): 'too-large' | null {
    this.headersAt = at;
    this.#meter = new Meter(isEventStream(headers));
    let bytes = 0;
    const kept = headers.filter(([name, value], index) => {
      bytes += name.length + value.length;
      return index < mostHeaderLines && bytes <= this.#maxHeaderBytes;
    });
    this.#head = { status, headers: kept };
    if (kept.length === headers.length) return null;
    this.over =
      headers.length > mostHeaderLines
        ? `there are ${headers.length} header lines`
        : `the headers have ${bytes} bytes, which all answers of the run together leave no room for`;
    return 'too-large';
  }

  /** Adds a piece of the body. @returns why the exchange ends here, or null if it continues */
  piece(piece: Uint8Array, at: number): 'too-large' | 'cut' | null {
    const end = this.#within(piece);
    const within = end === piece.length ? piece : piece.subarray(0, end);
    const cut = this.#cut;
    if (cut === null) {
      this.#watchForFirst(within, at);
    } else {
      const read = this.#events.read(within, at, (event) => this.#isLast(event, cut));
      if (this.#counted >= cut.events) {
        this.#keep(within.subarray(0, read), at);
        return 'cut';
      }
    }
    this.#keep(within, at);
    return this.over === null ? null : 'too-large';
  }

  /** Returns the answer received so far. If a bound was exceeded, only the beginning of the body is kept. */
  response(): ReceivedResponse | null {
    if (this.#head === null) return null;
    const body = this.#body.copy(this.over === null ? undefined : keptOfTooLarge);
    return {
      ...this.#head,
      body,
      chunks: this.#marks.within(body.length),
      complete: this.complete,
    };
  }

  /** Returns how many bytes of a piece are within the bounds. */
  #within(piece: Uint8Array): number {
    const meter = this.#meter;
    this.#pieces++;
    const end = Math.min(piece.length, this.#maxBytes - this.bytes);
    for (let at = 0; at < end; at++) {
      const code = piece[at] ?? 0;
      meter.see(code);
      if (meter.isAtLine) this.#line = this.bytes + at + 1;
      if (meter.deepest <= deepestJson && meter.things <= this.#maxThings) continue;
      this.over = overBound(meter, this.#maxThings);
      // An incomplete line cannot be parsed, so it is dropped.
      return Math.max(0, this.#line - this.bytes);
    }
    if (end < piece.length) this.over = `the response body is larger than ${this.#maxBytes} bytes`;
    else if (meter.things + this.#pieces / piecesPerThing > this.#maxThings) {
      this.over = `its body came in ${this.#pieces} pieces`;
    }
    return end;
  }

  #isLast({ data }: ServerSentEvent, { events, holding }: Cut): boolean {
    if (holding === undefined || holding(data)) this.#counted++;
    return this.#counted >= events;
  }

  #watchForFirst(piece: Uint8Array, at: number): void {
    if (this.#onFirstEvent === null) return;
    this.#events.read(piece, at);
    const [first] = this.#events.events;
    if (first === undefined) return;
    this.#onFirstEvent(first.data);
    this.#onFirstEvent = null;
  }

  #keep(piece: Uint8Array, at: number): void {
    if (piece.length === 0) return;
    this.#body.add(piece);
    this.#marks.add(at, this.bytes);
  }
}

function isEventStream(headers: HeaderLines): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /^text\/event-stream/i.test(value),
  );
}
