import type { Chunk, HeaderLines, ReceivedResponse } from '../core/exchange.ts';
import { EventReader, type ServerSentEvent } from './event-reader.ts';
import type { Cut } from './request.ts';

/** An answer as it comes in. Keeps what came, up to its bounds. */
export class Reception {
  headersAt: number | null = null;
  complete = false;
  bytes = 0;
  #head: { readonly status: number; readonly headers: HeaderLines } | null = null;
  readonly #pieces: Uint8Array[] = [];
  readonly #chunks: Chunk[] = [];
  readonly #maxBytes: number;
  readonly #cut: Cut | null;
  /** How many of the events that the cut counts have come. */
  #counted = 0;
  readonly #events = new EventReader();
  #onFirstEvent: ((data: string) => void) | null;

  constructor(bounds: {
    readonly maxBytes: number;
    readonly cut: Cut | null;
    readonly onFirstEvent: ((data: string) => void) | null;
  }) {
    this.#maxBytes = bounds.maxBytes;
    this.#cut = bounds.cut;
    this.#onFirstEvent = bounds.onFirstEvent;
  }

  get status(): number | null {
    return this.#head?.status ?? null;
  }

  head(status: number, headers: HeaderLines, at: number): void {
    this.#head = { status, headers };
    this.headersAt = at;
  }

  /** Takes a piece of the body. @returns why the exchange ends here, if it does */
  piece(piece: Uint8Array, at: number): 'too-large' | 'cut' | null {
    const cut = this.#cut;
    if (cut === null) {
      this.#watchForFirst(piece, at);
    } else {
      const read = this.#events.read(piece, at, (event) => this.#isLast(event, cut));
      if (this.#counted >= cut.events) {
        this.#keep(piece.subarray(0, read), at);
        return 'cut';
      }
    }
    const room = this.#maxBytes - this.bytes;
    this.#keep(piece.length > room ? piece.subarray(0, room) : piece, at);
    return piece.length > room ? 'too-large' : null;
  }

  /** @param keep of the body, in bytes: of one that is too large the beginning tells enough */
  response(keep = Number.POSITIVE_INFINITY): ReceivedResponse | null {
    if (this.#head === null) return null;
    const whole = Buffer.concat(this.#pieces);
    // A copy, so that the rest can be forgotten.
    const body = whole.length > keep ? Uint8Array.from(whole.subarray(0, keep)) : whole;
    const chunks = this.#chunks
      .filter((_, index) => (this.#chunks[index - 1]?.end ?? 0) < body.length)
      .map(({ at, end }) => ({ at, end: Math.min(end, body.length) }));
    return { ...this.#head, body, chunks, complete: this.complete };
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
    // A copy: the parser's buffer is not ours to keep.
    this.#pieces.push(Uint8Array.from(piece));
    this.bytes += piece.length;
    this.#chunks.push({ at, end: this.bytes });
  }
}
