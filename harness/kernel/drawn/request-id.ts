import { hash } from 'node:crypto';
import { type Exchange, type ExchangeId, formatId } from '../core/index.ts';
import type { Identity } from '../protocols/index.ts';
import type { RunIdentity } from './challenge.ts';
import { seedOf } from './seed.ts';

/** Returns the identity of a request, and the common client that all requests of the run pose as. */
export function identityOf({ runId, seed }: RunIdentity, id: ExchangeId): Identity {
  return { id, clientRequestId: clientRequestId(runId, id), caller: seedOf(seed, 'client') };
}

/**
 * Returns the `X-Client-Request-Id` of an exchange. It differs between runs, because a ledger keeps the requests of an
 * earlier run with the same seed, and is the same in a replay. It has the form of a random UUID, as clients use it.
 */
export function clientRequestId(runId: string, id: ExchangeId): string {
  const digest = hash('sha256', `${runId}\0${formatId(id)}`, 'buffer');
  // Version and variant of a random UUID.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x40;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** Returns the `X-Client-Request-Id` that a request has, if any. */
export function sentRequestId({ request }: Exchange): string | undefined {
  return request.headers.find(([name]) => /^x-client-request-id$/i.test(name))?.[1];
}

/** True if a request has the id that its run gives it. */
export function isSentBy(runId: string, exchange: Exchange): boolean {
  return sentRequestId(exchange) === clientRequestId(runId, exchange.id);
}
