import type { Exchange, ExchangeFailure } from '../core/index.ts';
import { redactExchange } from '../redaction/index.ts';
import { sentRequest, type WireOptions, type WireRequest } from './request.ts';
import { Sending } from './sending.ts';
import { notBegun } from './stopping.ts';

/**
 * Sends a request exactly once and records the answer. Follows no redirect and never retries. Resolves whatever the
 * network or the gateway does: `failure` of the exchange has the error, and the exchange holds the data received
 * before.
 *
 * @throws {Error} when the request cannot be written as HTTP, which is an error of the caller
 */
export async function send(request: WireRequest, options: WireOptions): Promise<Exchange> {
  if (options.stop?.aborted) return unsent(request, options);
  return redactExchange(await new Sending(request, options).exchange(), options.secrets);
}

/** Returns the record of an exchange that was not begun. */
export function unsent(
  request: WireRequest,
  { clock, secrets, stop }: WireOptions,
  failure: ExchangeFailure = notBegun(stop),
): Exchange {
  const now = clock.now();
  const exchange = {
    id: request.id,
    about: request.about,
    request: sentRequest(request),
    response: null,
    socket: null,
    failure,
    times: { started: now, headers: null, ended: now },
    echoed: [],
  };
  return redactExchange(exchange, secrets);
}
