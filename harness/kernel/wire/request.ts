import type { About, ExchangeId, HeaderLines, SentRequest } from '../core/index.ts';
import type { Secrets } from '../redaction/index.ts';
import { addressOf } from './address.ts';
import type { Clock } from './clock.ts';
import type { KeptConnection } from './line.ts';
import type { Routes } from './routes.ts';

/** A request as it will stand on the wire, but for what framing adds (host, connection, length). */
export interface WireRequest {
  /** Id of the exchange that it becomes. */
  readonly id: ExchangeId;
  readonly about: About;
  readonly method: string;
  /** Absolute. Sent as it is written: neither dot segments nor escapes are normalised. */
  readonly url: string;
  readonly headers: HeaderLines;
  /** Values to record in place of secret ones, by header name in lower case. */
  readonly shown?: Readonly<Record<string, string>>;
  /** URL to record if the real one contains a key. */
  readonly shownUrl?: string;
  readonly body: Uint8Array | null;
  readonly cut?: Cut;
  /** Called once, when the first server-sent event has come while the stream goes on. */
  readonly onFirstEvent?: (data: string) => void;
  /**
   * Number of body bytes (at least one, at most all) after which the connection is broken, although the
   * length of the whole body was announced.
   */
  readonly cutRequestAfterBytes?: number;
  /** Sent over this connection, which others use before and behind it. Default: one of its own. */
  readonly over?: KeptConnection;
  /** The gateway may keep the connection, as with most clients; it is closed when the answer has come. */
  readonly isKept?: boolean;
  /** True to offer HTTP/2 before HTTP/1.1 over TLS. */
  readonly offersHttp2?: boolean;
}

/**
 * Breaks the connection after a number of server-sent events. The record ends with the last of them, even
 * if more arrived in the same packet, so that the packing of events does not matter.
 */
export interface Cut {
  readonly events: number;
  /** Counts only events whose data is so, such as those that carry text. */
  readonly holding?: (data: string) => boolean;
}

/** Settings of every request of a run. */
export interface WireOptions {
  readonly clock: Clock;
  /** Timeout of one exchange, from its start to its end, in milliseconds. */
  readonly timeoutMs: number;
  /** Masked wherever they appear in the exchange. */
  readonly secrets: Secrets;
  /** Bound of an answer's decoded body, and of what one socket receives. Default: 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Bound of the lines and values that an answer is made of. Default: 200 000. */
  readonly maxThings?: number;
  /** Bound of the head of an answer. Default: 256 KiB. */
  readonly maxHeaderBytes?: number;
  /** Bound of the frames that one socket receives, control frames among them. Default: 25 000. */
  readonly maxFrames?: number;
  /** Proxies, and what TLS needs. Default: none. */
  readonly routes?: Routes;
  /** Signal after which nothing further is sent: an exchange that has not begun fails as `interrupted`. */
  readonly stop?: AbortSignal;
  /** Milliseconds that what is under way has to end when `stop` is aborted. Default: 5 s. */
  readonly graceMs?: number;
}

export const defaultMaxBodyBytes = 8 * 1024 * 1024;
export const defaultMaxFrames = 25_000;

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** The headers of a request as they are recorded. */
export function shownHeaders({ headers, shown = {} }: WireRequest): HeaderLines {
  return headers.map(([name, value]) => [name, shown[name.toLowerCase()] ?? value]);
}

/** Returns the request as it goes over the wire, with the headers that framing adds. */
export function sentRequest(request: WireRequest): SentRequest {
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
