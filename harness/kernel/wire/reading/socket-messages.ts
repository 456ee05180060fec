import { constants, inflateRawSync } from 'node:zlib';
import type {
  ExchangeFailure,
  ReceivedResponse,
  SocketFrame,
  SocketTranscript,
} from '../../core/index.ts';
import { headerLines } from '../header-lines.ts';
import { defaultMaxFrames } from '../request.ts';

/** Bytes, and the time at which they passed. */
export interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

interface HeardConversation {
  /** The answer to the upgrade. Null if none was written. */
  readonly response: ReceivedResponse | null;
  /** Time at which its head was written. */
  readonly headers: number | null;
  /** Transcript, or null if no WebSocket was opened. */
  readonly transcript: SocketTranscript | null;
  readonly failure: ExchangeFailure | null;
}

/**
 * Reconstructs a WebSocket conversation from the bytes of both directions.
 *
 * @param sent bytes of the client after its request
 * @param answered bytes of the server, from its status line on
 */
export function conversationIn(
  sent: readonly Piece[],
  answered: readonly Piece[],
): HeardConversation {
  const whole = bytesOf(answered);
  const end = whole.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = whole.toString('latin1', 0, end).split('\r\n');
  const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(statusLine) ?? [];
  if (end < 0 || status === undefined) {
    return { response: null, headers: null, transcript: null, failure: null };
  }
  const lines = headerLines(
    fields.flatMap((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const headers = timeAt(answered, end);
  const isOpen = status === '101';
  const body = isOpen ? Buffer.alloc(0) : whole.subarray(end + 4);
  const response: ReceivedResponse = {
    status: Number(status),
    headers: lines,
    body,
    chunks: body.length === 0 ? [] : [{ at: answered.at(-1)?.at ?? 0, end: body.length }],
    complete: true,
  };
  if (!isOpen) return { response, headers, transcript: null, failure: null };
  const ours = messages(sent, 0, 'us');
  const theirs = messages(answered, end + 4, 'gateway');
  const frames = [...ours.frames, ...theirs.frames].sort((one, other) => one.at - other.at);
  // Both sides send a closing frame. The first one closed the socket.
  const closes = [ours.close, theirs.close].flatMap((close) => close ?? []);
  const [first = null] = closes.sort((one, other) => one.at - other.at);
  const close = first === null ? null : { code: first.code, reason: first.reason, by: first.by };
  return {
    response,
    headers,
    transcript: { frames, close },
    failure: ours.isPacked || theirs.isPacked ? packed : ours.isOver || theirs.isOver ? over : null,
  };
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

interface Said {
  readonly frames: readonly SocketFrame[];
  readonly close: {
    readonly at: number;
    readonly code: number;
    readonly reason: string;
    readonly by: 'us' | 'gateway';
  } | null;
  /** True if messages cannot be decompressed. */
  readonly isPacked: boolean;
  /** True if the side sent more frames than are read. */
  readonly isOver: boolean;
}

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
function messages(pieces: readonly Piece[], from: number, by: 'us' | 'gateway'): Said {
  const bytes = bytesOf(pieces);
  const frames: SocketFrame[] = [];
  let open: { kind: SocketFrame['kind']; parts: Uint8Array[]; packed: boolean } | null = null;
  const unpacking = new Unpacking();
  let isPacked = false;
  let count = 0;
  for (let at = from; at + 2 <= bytes.length; ) {
    if (++count > defaultMaxFrames) return { frames, close: null, isPacked, isOver: true };
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
    const maskBytes = (second & 0x80) === 0 ? 0 : 4;
    const start = at + 2 + lengthBytes + maskBytes;
    if (start > bytes.length) break;
    const length =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    if (start + length > bytes.length) break;
    const mask = bytes.subarray(start - maskBytes, start);
    const data = bytes.subarray(start, start + length).map((byte, index) => {
      return maskBytes === 0 ? byte : byte ^ (mask[index % 4] ?? 0);
    });
    at = start + length;
    const time = timeAt(pieces, at - 1);
    if (opcode === 8) {
      const code = data.length < 2 ? 1005 : Buffer.from(data).readUInt16BE(0);
      const reason = Buffer.from(data.subarray(2)).toString();
      return { frames, close: { at: time, code, reason, by }, isPacked, isOver: false };
    }
    if (opcode > 2) continue;
    open ??= { kind: opcode === 2 ? 'binary' : 'text', parts: [], packed: (first & 0x40) !== 0 };
    open.parts.push(data);
    if ((first & 0x80) === 0) continue;
    const came = Buffer.concat(open.parts);
    const whole = open.packed ? unpacking.message(came) : came;
    isPacked ||= whole === null;
    frames.push({ from: by, at: time, kind: open.kind, data: whole ?? new Uint8Array() });
    open = null;
  }
  return { frames, close: null, isPacked, isOver: false };
}

function bytesOf(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(({ bytes }) => bytes));
}

/** Time at which the byte at an offset passed. */
function timeAt(pieces: readonly Piece[], offset: number): number {
  let end = 0;
  const holding = pieces.find(({ bytes }) => {
    end += bytes.length;
    return end > offset;
  });
  return holding?.at ?? pieces.at(-1)?.at ?? 0;
}
