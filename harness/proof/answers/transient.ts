import type {
  Exchange,
  ExchangeFailure,
  ReceivedResponse,
  SocketFrame,
} from '../../kernel/core/index.ts';
import {
  overloadFrame,
  protocolModules,
  streamingProtocolOf,
} from '../../kernel/protocols/index.ts';

export type TransientFailure = 'busy' | 'walled' | 'late' | 'slow' | 'gone' | 'overloaded';

/**
 * Failures that can happen to any exchange and prove nothing about the gateway: no check may fail for them. Each
 * function returns null for an exchange that it does not apply to.
 */
export const transients: Readonly<
  Record<TransientFailure, (exchange: Exchange) => Exchange | null>
> = {
  /** A rate limit. */
  busy: (exchange) => ({
    ...exchange,
    response: { status: 429, ...later, chunks: [], complete: true },
    socket: null,
    failure: null,
  }),
  /** A firewall in front of the gateway requires a browser. */
  walled: (exchange) => ({
    ...exchange,
    response: { status: 403, ...challenge, chunks: [], complete: true },
    socket: null,
    failure: null,
  }),
  /** Nothing arrived before the timeout. */
  late: (exchange) => ({
    ...exchange,
    response: null,
    socket: null,
    failure: timeout,
  }),
  /** Only the first half arrived before the timeout. */
  slow: (exchange) => ({ ...beginning(exchange, 1 / 2), failure: timeout }),
  /** The gateway ended before the last quarter, and its address refuses connections. */
  gone: (exchange) => ({ ...beginning(exchange, 3 / 4), failure: unreachable }),
  /** A stream or a turn ends with an overload error near its end; null for anything else. */
  overloaded: (exchange) =>
    exchange.socket === null ? overloadedStream(exchange) : overloadedTurn(exchange),
};

export const transientFailures: readonly TransientFailure[] = [
  'busy',
  'walled',
  'late',
  'slow',
  'gone',
  'overloaded',
];

const later: Pick<ReceivedResponse, 'headers' | 'body'> = {
  headers: [['content-type', 'application/json']],
  body: Buffer.from('{"error":{"type":"rate_limit_error","message":"Ask again later."}}'),
};

const challenge: Pick<ReceivedResponse, 'headers' | 'body'> = {
  headers: [
    ['content-type', 'text/html; charset=UTF-8'],
    ['cf-mitigated', 'challenge'],
  ],
  body: Buffer.from('<!DOCTYPE html><title>Just a moment...</title>'),
};

const timeout: ExchangeFailure = { kind: 'timeout', message: 'the rest did not come in time' };

const unreachable: ExchangeFailure = {
  kind: 'ended',
  message: 'the gateway ended, and nobody listens any more',
};

/** @param share of the answer that arrived, from 0 to 1 */
function beginning(exchange: Exchange, share: number): Exchange {
  const { response, socket } = exchange;
  return {
    ...exchange,
    // The answer to the upgrade of an open socket is complete.
    response: response === null || socket !== null ? response : beginningOf(response, share),
    socket: socket === null ? null : { frames: begun(socket.frames, share), close: null },
  };
}

function isStream({ headers }: ReceivedResponse): boolean {
  return headers.some(
    ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream/i.test(value),
  );
}

function beginningOf(response: ReceivedResponse, share: number): ReceivedResponse {
  const end = Math.floor(response.body.length * share);
  const before = response.chunks.filter((chunk) => chunk.end < end);
  const last = response.chunks.find((chunk) => chunk.end >= end);
  return {
    ...response,
    body: response.body.subarray(0, end),
    chunks: last === undefined ? before : [...before, { at: last.at, end }],
    complete: false,
  };
}

function begun(frames: readonly SocketFrame[], share: number): readonly SocketFrame[] {
  return frames.slice(0, Math.floor(frames.length * share));
}

/** Share of a stream or a conversation before the overload error. */
const late = 9 / 10;

function overloadedStream(exchange: Exchange): Exchange | null {
  const { response } = exchange;
  const protocol = streamingProtocolOf(exchange);
  if (response === null || protocol === null || !isStream(response)) return null;
  const end = Math.floor(response.body.length * late);
  const begun = Buffer.from(response.body.subarray(0, end));
  const last = begun.lastIndexOf('\n\n');
  const before = begun.subarray(0, last === -1 ? 0 : last + 2);
  const body = Buffer.concat([
    before,
    Buffer.from(
      protocolModules[protocol].stream.overload(before.toString().split('\ndata:').length - 1),
    ),
  ]);
  const at = response.chunks.at(-1)?.at ?? exchange.times.ended;
  return {
    ...exchange,
    response: { ...response, body, chunks: [{ at, end: body.length }], complete: true },
    failure: null,
  };
}

function overloadedTurn(exchange: Exchange): Exchange {
  const data = Buffer.from(overloadFrame(1));
  const frames = begun(exchange.socket?.frames ?? [], late);
  const last = frames.at(-1)?.at ?? exchange.times.ended;
  const error: SocketFrame = { from: 'gateway', at: last, kind: 'text', data };
  return { ...exchange, socket: { frames: [...frames, error], close: null }, failure: unreachable };
}
