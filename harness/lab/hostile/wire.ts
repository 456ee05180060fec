import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The sound answer that an attack spoils. */
export interface Sound {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The credentials that the request shows, as they stand in its headers. */
  readonly keys: readonly string[];
  /** Value of `Sec-WebSocket-Accept` that the answer to an upgrade needs. */
  readonly accept: string;
}

/** Socket for an attack, without a library that would prevent invalid output. */
export class RawWire {
  readonly #socket: Duplex;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  get closed(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  /** Waits until it is taken. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.closed || this.#socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const event of ['drain', 'close', 'error']) this.#socket.off(event, go);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) this.#socket.on(event, go);
    });
  }

  /** Writes the same until the other side has enough. */
  async forEver(bytes: string | Buffer): Promise<void> {
    while (!this.closed) {
      await this.write(bytes);
      // Other connections of this process get their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Writes a byte at a time, slowly, and begins anew at the end. */
  async drip(text: string): Promise<void> {
    for (let at = 0; !this.closed; at = (at + 1) % text.length) {
      await this.write(text[at] ?? '');
      await delay(100);
    }
  }

  /** Says nothing, until the other side has enough. */
  async stall(): Promise<void> {
    while (!this.closed) await delay(50);
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.destroy();
  }
}

/** The head of an answer, without what frames its body. */
export function head(
  { status, headers }: Pick<Sound, 'status' | 'headers'>,
  framing: readonly string[],
  without = /^(content-length|transfer-encoding|connection|content-encoding)$/i,
): string {
  const kept = headers.filter(([name]) => !without.test(name));
  const lines = [...kept.map(([name, value]) => `${name}: ${value}`), ...framing];
  return `HTTP/1.1 ${status} Hostile\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** A whole answer with this body. */
export async function answerWith(
  wire: RawWire,
  sound: Sound,
  body: Buffer | string,
  more: readonly string[] = [],
): Promise<void> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  await wire.write(head(sound, [length, 'Connection: close', ...more]));
  await wire.write(body);
  wire.end();
}

export function chunk(bytes: string | Buffer): Buffer {
  const length = Buffer.byteLength(bytes).toString(16);
  return Buffer.concat([Buffer.from(`${length}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
}

/** A frame of a WebSocket, as a server sends it unless `first` and `second` say otherwise. */
export function frame(first: number, payload: Buffer | string, second = 0): Buffer {
  const bytes = Buffer.from(payload);
  const length = bytes.length;
  const sizes =
    length < 126
      ? Buffer.from([first, second | length])
      : Buffer.concat([Buffer.from([first, second | 127]), eight(length)]);
  return Buffer.concat([sizes, bytes]);
}

export function eight(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
