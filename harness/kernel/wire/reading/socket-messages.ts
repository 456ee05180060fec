import { constants, inflateRawSync } from 'node:zlib';
import type { Exchange, ExchangeFailure, SocketFrame } from '../../core/index.ts';
import { Growing } from '../growing.ts';
import { headerLines } from '../header-lines.ts';
import { defaultMaxFrames } from '../request.ts';
import { sizesOf } from './websocket-frames.ts';

/** The answer to the upgrade and the time of its head, null if none was written; and the transcript of an open socket. */
type Heard = Pick<Exchange, 'response' | 'socket' | 'failure'> & { headers: number | null };

/** Reads a WebSocket conversation from the bytes of both directions, as they pass. Memory follows bytes and frames. */
export class HeardSocket {
  readonly #ours: Messages;
  readonly #theirs: Messages;
  /** The answer to the upgrade, from its status line on. */
  readonly #answer: Growing;
  /** Number of bytes of its head. Null until the head is complete. */
  #head: number | null = null;
  #headAt = 0;
  #latestAt = 0;
  #isOpen = false;

  /** @param mostBytes bound of each direction */
  constructor(mostBytes: number) {
    this.#ours = new Messages('us', mostBytes);
    this.#theirs = new Messages('gateway', mostBytes);
    this.#answer = new Growing(mostBytes);
  }

  /** False if a direction had more bytes than are read. */
  get isWhole(): boolean {
    return this.#ours.isWhole && this.#theirs.isWhole;
  }

  /** Adds bytes of the client after its request. */
  sent(piece: Uint8Array, at: number): void {
    this.#ours.read(piece, at);
  }

  /** Adds bytes of the server. */
  answered(piece: Uint8Array, at: number): void {
    if (this.#isOpen) {
      this.#theirs.read(piece, at);
      return;
    }
    const answer = this.#answer;
    if (piece.length === 0 || !answer.hasRoom) return;
    this.#latestAt = at;
    const from = Math.max(0, answer.length - 3);
    answer.add(piece);
    if (this.#head !== null) return;
    const end = answer.view.indexOf('\r\n\r\n', from);
    if (end < 0) return;
    this.#head = end + 4;
    this.#headAt = at;
    this.#isOpen = /^HTTP\/1\.\d 101/.test(answer.view.toString('latin1', 0, 12));
    if (this.#isOpen) this.#theirs.read(answer.view.subarray(this.#head), at);
  }

  conversation(): Heard {
    const end = this.#head ?? 0;
    const whole = this.#answer.view;
    const [statusLine = '', ...fields] = whole.toString('latin1', 0, end).trimEnd().split('\r\n');
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(statusLine) ?? [];
    if (status === undefined) return { response: null, headers: null, socket: null, failure: null };
    const lines = fields.flatMap((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    });
    const headers = this.#headAt;
    const body = this.#isOpen ? Buffer.alloc(0) : whole.subarray(end);
    const response = {
      status: Number(status),
      headers: headerLines(lines),
      body,
      chunks: body.length === 0 ? [] : [{ at: this.#latestAt, end: body.length }],
      complete: true,
    };
    if (!this.#isOpen) return { response, headers, socket: null, failure: null };
    const sides = [this.#ours, this.#theirs];
    const byTime = (one: { at: number }, other: { at: number }): number => one.at - other.at;
    const frames = sides.flatMap((side) => side.frames).sort(byTime);
    // Both sides send a closing frame. The first one closed the socket.
    const [first = null] = sides.flatMap(({ close }) => close ?? []).sort(byTime);
    const close = first === null ? null : { code: first.code, reason: first.reason, by: first.by };
    const isPacked = sides.some((side) => side.isPacked);
    const failure = isPacked ? packed : sides.some(({ isOver }) => isOver) ? over : null;
    return { response, headers, socket: { frames, close }, failure };
  }
}

const packed: ExchangeFailure = {
  kind: 'undecodable',
  message:
    'messages do not decode as permessage-deflate; they are not kept, because no credential could be masked in them',
};

const over: ExchangeFailure = {
  kind: 'too-large',
  message: `more than ${defaultMaxFrames} frames were sent one way; the first of them are read`,
};

/** Maximum distance of a back reference in compressed data, in bytes. */
const longestReference = 32 * 1024;
/** Bytes that every compressed message omits at its end (RFC 7692, 7.2.2). */
const leftOut = Buffer.from([0, 0, 0xff, 0xff]);
const largestMessage = 64 * 1024 * 1024;

/** Decompresses the messages of permessage-deflate in sequence. */
class Unpacking {
  #before: Buffer = Buffer.alloc(0);

  /** Decompresses a message. Returns null if that fails. All later messages fail, too. */
  message(packed: Uint8Array): Buffer | null {
    try {
      const data = inflateRawSync(Buffer.concat([packed, leftOut]), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: largestMessage,
        ...(this.#before.length === 0 ? {} : { dictionary: this.#before }),
      });
      this.#before = Buffer.concat([this.#before, data]).subarray(-longestReference);
      return data;
    } catch {
      return null;
    }
  }
}

/** The messages of one side. Fragments are joined. Control frames are left out, except for the closing frame. */
class Messages {
  readonly frames: SocketFrame[] = [];
  close: { at: number; code: number; reason: string; by: 'us' | 'gateway' } | null = null;
  /** True if messages cannot be decompressed. */
  isPacked = false;
  /** True if the side sent more frames than are read. */
  isOver = false;
  /** False if it sent more bytes than are read. */
  isWhole = true;
  readonly #by: 'us' | 'gateway';
  readonly #unpacking = new Unpacking();
  readonly #pending = new Growing();
  #open: { kind: SocketFrame['kind']; came: Growing; packed: boolean } | null = null;
  #left: number;
  #count = 0;

  constructor(by: 'us' | 'gateway', mostBytes: number) {
    this.#by = by;
    this.#left = mostBytes;
  }

  read(piece: Uint8Array, at: number): void {
    if (piece.length === 0 || this.isOver || this.close !== null) return;
    this.isWhole &&= this.#left > 0;
    if (!this.isWhole) return;
    this.#left -= piece.length;
    this.#pending.add(piece);
    let read = 0;
    for (let next = -1; next !== 0; read += next) {
      next = this.#frame(this.#pending.view.subarray(read), at);
    }
    if (read > 0) this.#pending.drop(read);
  }

  /** Reads a frame. @returns its length, or 0 if it is incomplete or nothing more is read */
  #frame(bytes: Buffer, at: number): number {
    const sizes = sizesOf(bytes);
    if (sizes === null || this.isOver || this.close !== null) return 0;
    const { start, length } = sizes;
    if (start + length > bytes.length) return 0;
    const [first = 0, second = 0] = bytes;
    const opcode = first & 0x0f;
    this.isOver = ++this.#count > defaultMaxFrames;
    if (this.isOver) return 0;
    const mask = bytes.subarray(start - 4, start);
    const data = Buffer.from(bytes.subarray(start, start + length));
    for (let index = 0; second >= 0x80 && index < length; index++) {
      data[index] = (data[index] ?? 0) ^ (mask[index % 4] ?? 0);
    }
    if (opcode === 8) {
      const code = data.length < 2 ? 1005 : data.readUInt16BE(0);
      this.close = { at, code, reason: data.subarray(2).toString(), by: this.#by };
    } else if (opcode <= 2) this.#part(data, first, at);
    return start + length;
  }

  #part(data: Buffer, first: number, at: number): void {
    this.#open ??= {
      kind: (first & 0x0f) === 2 ? 'binary' : 'text',
      came: new Growing(),
      packed: (first & 0x40) !== 0,
    };
    const { kind, came, packed } = this.#open;
    came.add(data);
    if ((first & 0x80) === 0) return;
    const whole = packed ? this.#unpacking.message(came.view) : came.copy();
    this.isPacked ||= whole === null;
    // Unpacked bytes count, too: a few packed ones may become many.
    if (packed) this.#left -= whole?.length ?? 0;
    this.frames.push({ from: this.#by, at, kind, data: whole ?? new Uint8Array() });
    this.#open = null;
  }
}
