import type { ExchangeFailure, FailureKind } from '../../core/index.ts';
import { type Flaw, readHttp } from './http-message.ts';
import type { ReceivedBytes } from './received-bytes.ts';
import { framesFlaw, handshakeFlaw } from './websocket-frames.ts';

/** Failures of the library to read an answer. It may report a wrong length as a broken connection. */
const refusedToRead: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'not-http',
  'unread',
  'reset',
]);

/**
 * Reads an answer again that the HTTP or WebSocket library could not read, and names the violated clause of the
 * RFC. If the bytes violate none, the failure is the library's and not the gateway's.
 *
 * @param key the `Sec-WebSocket-Key` of a request that asks for a WebSocket
 */
export function readAgain(
  failure: ExchangeFailure,
  received: ReceivedBytes | null,
  key: string | null = null,
): ExchangeFailure {
  const bytes = received?.bytes ?? null;
  // If TLS failed, nothing readable has arrived.
  if (!refusedToRead.has(failure.kind) || bytes?.length === 0 || received === null) return failure;
  const flaw = bytes === null ? null : flawIn(bytes, key);
  const rfc = key === null ? 'RFC 9112' : 'RFC 9112 and RFC 6455';
  if (flaw === null && failure.kind === 'reset') return failure;
  return flaw === null
    ? {
        kind: 'unread',
        message: `${failure.message}; but what came breaks no clause of ${rfc} that Touchstone knows of`,
      }
    : { kind: 'not-http', message: `${failure.message}; ${flaw.clause} is broken: ${flaw.what}` };
}

function flawIn(bytes: Uint8Array, key: string | null): Flaw | null {
  const reading = readHttp(bytes, { upgrade: key !== null });
  if (reading.flaw !== null || reading.switchedAt === null || key === null) return reading.flaw;
  return handshakeFlaw(reading, key) ?? framesFlaw(bytes.subarray(reading.switchedAt));
}
