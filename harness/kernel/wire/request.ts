import type { About, Exchange, ExchangeId, HeaderLines } from '../core/index.ts';
import type { Secrets } from '../redaction/index.ts';
import { addressOf } from './address.ts';
import type { Clock } from './clock.ts';
import type { KeptConnection } from './line.ts';
import type { Routes } from './routes.ts';

/** A request as it is sent, except for what framing adds (host, connection, length). */
export interface WireRequest {
  /** Id of the resulting exchange. */
  readonly id: ExchangeId;
  readonly about: About;
  readonly method: string;
  /** Absolute URL, sent as it is written: neither dot segments nor escapes are normalised. */
  readonly url: string;
  readonly headers: HeaderLines;
  /** Values to record instead of secret ones, by lower-case header name. */
  readonly shown?: Readonly<Record<string, string>>;
  /** URL to record if the real one contains a key. */
  readonly shownUrl?: string;
  readonly body: Uint8Array | null;
  readonly cut?: Cut;
  /** Called once, when the first server-sent event has arrived while the stream continues. */
  readonly onFirstEvent?: (data: string) => void;
  /**
   * Number of body bytes (at least one, at most all) after which the connection is broken, although the full length
   * was announced.
   */
  readonly cutRequestAfterBytes?: number;
  /** Connection to use, shared with other requests. Default: a connection of its own. */
  readonly over?: KeptConnection;
  /** True to let the gateway keep the connection, as most clients do. It is closed once the answer has arrived. */
  readonly isKept?: boolean;
  /** True to offer HTTP/2 before HTTP/1.1 over TLS. */
  readonly offersHttp2?: boolean;
}

/**
 * Breaks the connection after a number of server-sent events. The record ends with the last of them, even if more
 * arrived in the same packet, so that packet boundaries have no effect.
 */
export interface Cut {
  readonly events: number;
  /** Filter on the data of events: only matching events count, such as those with text. */
  readonly holding?: (data: string) => boolean;
}

export interface WireOptions {
  readonly clock: Clock;
  /** Timeout of one exchange, from its start to its end, in milliseconds. */
  readonly timeoutMs: number;
  readonly secrets: Secrets;
  /** Bound of an answer's decoded body, and of the data that one socket receives. Default: 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Bound of the lines and values in an answer. Default: 200 000. */
  readonly maxThings?: number;
  /** Bound of the head of an answer. Default: 128 KiB. */
  readonly maxHeaderBytes?: number;
  /** Bound of the frames that one socket receives, control frames included. Default: 25 000. */
  readonly maxFrames?: number;
  /** Proxies and TLS settings. Default: none. */
  readonly routes?: Routes;
  /** Signal after which nothing is sent: an exchange that has not begun fails as `interrupted`. */
  readonly stop?: AbortSignal;
  /** Milliseconds that exchanges in flight may still take after `stop` is aborted. Default: 5 s. */
  readonly graceMs?: number;
}

export const defaultMaxBodyBytes = 8 * 1024 * 1024;
export const defaultMaxFrames = 25_000;

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

export function shownHeaders({ headers, shown = {} }: WireRequest): HeaderLines {
  return headers.map(([name, value]) => [name, shown[name.toLowerCase()] ?? value]);
}

/** Returns the request as it is sent, with the headers that framing adds. */
export function sentRequest(request: WireRequest): Exchange['request'] {
  const { method, url, shownUrl = url, body, over, isKept = false } = request;
  const length = body?.length ?? 0;
  const framed: [string, string][] =
    length > 0 || methodsWithBody.has(method) ? [['content-length', String(length)]] : [];
  return {
    method,
    url: shownUrl,
    headers: [
      ['host', addressOf(url).host],
      ['connection', over === undefined && !isKept ? 'close' : 'keep-alive'],
      ...shownHeaders(request),
      ...framed,
    ],
    body,
  };
}
