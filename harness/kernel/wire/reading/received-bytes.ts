import type { Socket } from 'node:net';
import { Growing } from '../growing.ts';

/**
 * Bound of the bytes kept of a connection. If more arrive, none are kept, because many connections are open
 * at once.
 */
const mostBytes = 4 * 1024 * 1024;

/** An interim head that is longer than this is let through. */
const longestInterim = 64 * 1024;

/**
 * Keeps what a socket receives, as it came off the wire and out of TLS, until its exchange has ended: what
 * our library cannot read is read again (`second-reading.ts`), and nothing is sent again for that.
 *
 * It also takes `100 Continue` out of what the library gets. HTTP wants a client to bear it unasked (RFC
 * 9110, 15.2), and undici breaks the connection.
 */
export class ReceivedBytes {
  /** Received bytes, or null if there were more than are kept. */
  #kept: Growing | null = new Growing(mostBytes);
  /** The beginning of an answer, as long as it may be an interim one; null behind that. */
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

  /** A further request is sent over the same connection. */
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
