/** Buffer for bytes that arrive in pieces of any size. Uses no more memory than the bytes need. */
export class Growing {
  #bytes = Buffer.alloc(0);
  length = 0;
  readonly #most: number;

  /** @param most maximum number of bytes to make room for */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Adds a copy of the piece, because sockets and parsers reuse their buffers. */
  add(piece: Uint8Array): void {
    const end = this.length + piece.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(end, Math.min(this.#most, 2 * this.#bytes.length)),
      );
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = end;
  }

  /**
   * Returns the received bytes, up to `most`. Copies them if much of the buffer is unused, so that the buffer can
   * be freed.
   */
  copy(most = this.length): Buffer {
    const came = this.#bytes.subarray(0, Math.min(most, this.length));
    return came.length > this.#bytes.length * 0.8 ? came : Buffer.from(came);
  }

  /** False if there are as many bytes as it makes room for. */
  get hasRoom(): boolean {
    return this.length < this.#most;
  }

  /** Removes bytes from the start. Keeps a small buffer for what follows, and of a large one only what is needed. */
  drop(bytes: number): void {
    const rest = this.view.subarray(bytes);
    this.length = rest.length;
    if (this.#bytes.length > 4096) this.#bytes = Buffer.from(rest);
    else this.#bytes.copyWithin(0, bytes, bytes + rest.length);
  }

  /** The received bytes, valid until more are added. */
  get view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
  }
}
