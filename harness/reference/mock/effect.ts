import type { ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Context, Transport } from '../call.ts';
import type { OpenSocket } from '../open-socket.ts';
import type { Effect } from './note.ts';

/**
 * Returns a transport that applies an effect to each answer.
 *
 * @param effectOf returns null for an answer without an effect
 */
export function affected(
  transport: Transport,
  effectOf: (context: Context) => Effect | null,
): Pick<Transport, 'send' | 'stream' | 'frame'> {
  const frames = new WeakMap<object, number>();
  return {
    async send(out, head, body, context) {
      const effect = effectOf(context);
      if (effect === null) return transport.send(out, head, body, context);
      const { end, after, slowMs = 0 } = effect;
      await waited(slowMs, context);
      if (end === undefined) return transport.send(out, head, body, context);
      if (end === 'reset') return reset(out, context);
      const bytes = Buffer.from(body);
      const most = after !== undefined && 'bytes' in after ? after.bytes : bytes.length >> 1;
      const headers = { ...head.headers, 'content-length': String(bytes.length) };
      out.writeHead(head.status, headers).flushHeaders();
      await written(out, bytes.subarray(0, Math.min(most, bytes.length - 1)));
      await ended(out, end, context);
    },
    async stream(out, head, pieces, context) {
      const effect = effectOf(context);
      if (effect?.end === 'reset' && effect.after === undefined) return reset(out, context);
      const some = effect === null ? pieces : partOf(pieces, effect, out, context);
      await transport.stream(out, head, some, context);
    },
    async frame(socket, text, context) {
      const effect = effectOf(context);
      if (effect === null) return transport.frame(socket, text, context);
      const { end, after, slowMs = 0 } = effect;
      const sent = frames.get(context.call.body) ?? 0;
      frames.set(context.call.body, sent + 1);
      await waited(slowMs, context);
      const most = after !== undefined && 'events' in after ? after.events : 1;
      if (end === undefined || sent < most) return transport.frame(socket, text, context);
      if (end === 'stall') return gone(socket, context);
      context.call.note.cut = true;
      socket.terminate();
    },
  };
}

/** Yields the start of a stream. Reading further triggers its end. */
async function* partOf(
  pieces: AsyncIterable<string>,
  { end, after = { events: 1 }, slowMs = 0 }: Effect,
  out: ServerResponse,
  context: Context,
): AsyncGenerator<string> {
  let events = 0;
  let bytes = 0;
  const isOver = (): boolean => ('events' in after ? events >= after.events : bytes >= after.bytes);
  for await (const piece of pieces) {
    if (end !== undefined && isOver()) break;
    await waited(slowMs, context);
    const size = Buffer.byteLength(piece);
    const isTooLong = end !== undefined && 'bytes' in after && bytes + size > after.bytes;
    yield isTooLong
      ? Buffer.from(piece)
          .subarray(0, after.bytes - bytes)
          .toString()
      : piece;
    events++;
    bytes += size;
  }
  if (end !== undefined) await ended(out, end, context);
}

async function ended(
  out: ServerResponse,
  end: NonNullable<Effect['end']>,
  context: Context,
): Promise<void> {
  if (end === 'stall') return gone(out, context);
  // Bytes written earlier have to reach the client.
  await written(out, '');
  if (end === 'reset') {
    reset(out, context);
    return;
  }
  context.call.note.cut = true;
  destroy(out);
}

function reset(out: ServerResponse, { call }: Context): void {
  call.note.cut = true;
  const { socket } = out;
  // A TLS connection can be ended, but not reset.
  if (socket === null || socket instanceof TLSSocket) destroy(out);
  else socket.resetAndDestroy();
}

/** Destroys an answer. The HTTP/2 stream of an answer ends with an error, because otherwise it would look complete. */
function destroy(out: ServerResponse): void {
  const stream = 'stream' in out ? out.stream : null;
  if (isHttp2Stream(stream)) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else out.destroy();
}

function isHttp2Stream(value: unknown): value is ServerHttp2Stream {
  return typeof value === 'object' && value !== null && 'rstCode' in value;
}

function written(out: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (piece.length > 0) out.write(piece, () => resolve());
    else if (out.socket === null || out.req.httpVersionMajor === 2) setImmediate(resolve);
    else setImmediate(() => out.socket?.write('', () => resolve()) ?? resolve());
  });
}

/** Resolves when the client has disconnected, or the gateway closes. */
function gone(one: ServerResponse | OpenSocket, { call }: Context): Promise<void> {
  const { closing } = call.gateway;
  return new Promise((resolve) => {
    if (closing.aborted) resolve();
    closing.addEventListener('abort', () => resolve(), { once: true });
    one.on('close', () => resolve());
  });
}

async function waited(ms: number, { call }: Context): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: call.gateway.closing }).catch(() => undefined);
}
