import type { Socket } from 'node:net';
import { Growing } from '../growing.ts';

/**
 * Maximum number of bytes kept per connection. If more arrive, none are kept, because many connections are open at
 * once.
 */
const mostBytes = 4 * 1024 * 1024;

/** Interim heads that are longer than this are passed on. */
const longestInterim = 64 * 1024;

/**
 * Keeps the bytes that a socket receives, after TLS, until its exchange has ended. An answer that the library could
 * not read is read again from them (`second-reading.ts`), so that no request has to be repeated.
 *
 * It also removes `100 Continue` from the bytes that the library gets. A client must accept it even if it has not
 * asked for it (RFC 9110, 15.2), but undici breaks the connection.
 */
export class ReceivedBytes {
  /** Received bytes, or null if there were more than are kept. */
  #kept: Growing | null = new Growing(mostBytes);
  /** The first bytes of an answer, as long as they may be an interim one. Null afterwards. */
  #beginning: Buffer | null = Buffer.alloc(0);

  constructor(socket: Socket) {
    // All data of a socket passes through `push`, in flowing and in paused mode.
    const push = socket.push.bind(socket);
    socket.push = (piece: unknown, encoding?: BufferEncoding) => {
      if (!Buffer.isBuffer(piece)) {
        if (this.#beginning !== null && this.#beginning.length > 0) push(this.#beginning);
        this.#beginning = null;
        return push(piece, encoding);
      }
      if ((this.#kept?.length ?? 0) + piece.length > mostBytes) this.#kept = null;
      this.#kept?.add(piece);
      const rest = this.#withoutContinue(piece);
      return rest.length === 0 ? true : push(rest);
    };
  }

  /** Discards the bytes before a further request on the same connection. */
  forget(): void {
    this.#kept = new Growing(mostBytes);
    this.#beginning = Buffer.alloc(0);
  }

  /** The received bytes, or null if there were more than are kept. */
  get bytes(): Uint8Array | null {
    return this.#kept?.copy() ?? null;
  }

  #withoutContinue(piece: Buffer): Buffer {
    if (this.#beginning === null) return piece;
    let all = Buffer.concat([this.#beginning, piece]);
    for (;;) {
      const begun = all
        .subarray(0, interim.length)
        .toString('latin1')
        .replace(/^(HTTP\/1\.)\d/, '$11');
      const end = all.indexOf('\r\n\r\n');
      if (!interim.startsWith(begun) || all.length > longestInterim) {
        this.#beginning = null;
        return all;
      }
      if (begun.length < interim.length || end < 0) {
        this.#beginning = all;
        return Buffer.alloc(0);
      }
      all = all.subarray(end + 4);
    }
  }
}

const interim = 'HTTP/1.1 100';
