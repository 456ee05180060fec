import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import type { Flaw, HttpReading } from './http-message.ts';

// A second, strict reader of WebSocket after RFC 6455. See http-message.ts.

/** @param key the `Sec-WebSocket-Key` of the request */
export function handshakeFlaw({ fields }: HttpReading, key: string): Flaw | null {
  const has = (name: string, wanted: string): boolean =>
    (fields.get(name) ?? [])
      .flatMap((value) => value.split(','))
      .some((one) => one.trim().toLowerCase() === wanted);
  const given = (name: string): string => (fields.get(name) ?? []).join(', ');
  if (!has('upgrade', 'websocket'))
    return flaw('4.2.2', 'the handshake lacks `Upgrade: websocket`');
  if (!has('connection', 'upgrade'))
    return flaw('4.2.2', 'the handshake lacks `Connection: Upgrade`');
  const accept = createHash('sha1')
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  if (given('sec-websocket-accept') !== accept) {
    return flaw('4.2.2', 'Sec-WebSocket-Accept is not what the key of the request makes');
  }
  if (given('sec-websocket-extensions') !== '') {
    return flaw('4.1', 'the handshake names an extension that was not asked for');
  }
  if (given('sec-websocket-protocol') !== '') {
    return flaw('4.1', 'the handshake names a subprotocol that was not asked for');
  }
  return null;
}

/** Returns where the data of a frame starts, and how long it is. Null if the bytes end before that. */
export function sizesOf(frame: Buffer): { readonly start: number; readonly length: number } | null {
  const [, second = 0] = frame;
  const short = second & 0x7f;
  const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const start = 2 + lengthBytes + ((second & 0x80) === 0 ? 0 : 4);
  if (start > frame.length) return null;
  if (lengthBytes === 0) return { start, length: short };
  return {
    start,
    length: lengthBytes === 2 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2)),
  };
}

/** Returns the clause that a server's frames violate. Null if they violate none, even if they are incomplete. */
export function framesFlaw(bytes: Uint8Array): Flaw | null {
  const frames = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** The incomplete message. A text is decoded as it arrives. */
  let open: { readonly decoder: TextDecoder | null } | null = null;
  for (let at = 0; at + 2 <= frames.length; ) {
    const [first = 0, second = 0] = frames.subarray(at);
    const isLast = (first & 0x80) !== 0;
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    const isControl = opcode >= 8;
    if ((first & 0x70) !== 0)
      return flaw('5.2', 'a reserved bit is set, and no extension was agreed on');
    if ((opcode > 2 && opcode < 8) || opcode > 10)
      return flaw('5.2', `the reserved opcode ${opcode}`);
    if ((second & 0x80) !== 0) return flaw('5.1', 'a frame of the server is masked');
    if (isControl && !isLast) return flaw('5.5', 'a control frame is fragmented');
    if (isControl && short > 125) return flaw('5.5', 'a control frame of more than 125 bytes');
    if (opcode === 0 && open === null) return flaw('5.4', 'a continuation of no message');
    if ((opcode === 1 || opcode === 2) && open !== null) {
      return flaw('5.4', 'a new message within another');
    }
    const sizes = sizesOf(frames.subarray(at));
    if (sizes === null) return null;
    if (short === 127 && (frames[at + 2] ?? 0) >= 0x80) {
      return flaw('5.2', 'the highest bit of a length is set');
    }
    const { length } = sizes;
    if (length < (short === 127 ? 0x1_00_00 : short === 126 ? 126 : 0)) {
      return flaw('5.2', 'a length in more bytes than it needs');
    }
    const start = at + sizes.start;
    const payload = frames.subarray(start, start + length);
    const isWhole = payload.length === length;
    if (opcode === 8) return isWhole ? closeFlaw(payload) : null;
    if (!isControl) {
      open ??= { decoder: opcode === 1 ? new TextDecoder('utf-8', { fatal: true }) : null };
      if (!isText(open.decoder, payload, isLast && isWhole)) {
        return flaw('8.1', 'a text message that is no UTF-8');
      }
      if (isLast) open = null;
    }
    at = start + length;
  }
  return null;
}

/** Codes that no frame may have. RFC 6455 does not forbid other unregistered codes. */
const neverSent: ReadonlySet<number> = new Set([1004, 1005, 1006, 1015]);

function closeFlaw(payload: Buffer): Flaw | null {
  if (payload.length === 0) return null;
  if (payload.length === 1)
    return flaw('5.5.1', 'a close frame with one byte, where a code has two');
  const code = payload.readUInt16BE();
  if (code < 1000 || neverSent.has(code)) return flaw('7.4', `a close frame with the code ${code}`);
  return isText(new TextDecoder('utf-8', { fatal: true }), payload.subarray(2), true)
    ? null
    : flaw('5.5.1', 'the reason of a close frame is no UTF-8');
}

function isText(decoder: TextDecoder | null, bytes: Uint8Array, isLast: boolean): boolean {
  try {
    decoder?.decode(bytes, { stream: !isLast });
    return true;
  } catch {
    return false;
  }
}

function flaw(section: string, what: string): Flaw {
  return { clause: `RFC 6455, ${section}`, what };
}
