import type { Exchange } from '../core/index.ts';
import { errorBody } from '../protocols/index.ts';
import { headerValues, remembered, text } from '../wire/index.ts';
import { transientIn } from './judged.ts';
import { speaksOfLoad } from './refused.ts';

/**
 * Outcome of a request with respect to whether it was answered.
 *
 * - `nothing`: the time ran out, the connection broke, or a 5xx came that does not mention load
 * - `ended`: the gateway ended meanwhile, because of this or a concurrent request
 * - `held`: not served for a temporary reason
 * - `open`: it was cut, or not sent, and shows nothing
 */
type AnsweredAs = 'served' | 'refused' | 'nothing' | 'ended' | 'held' | 'open';

/** @see AnsweredAs */
export const answeredAs = remembered(readOutcome);

function readOutcome(exchange: Exchange): AnsweredAs {
  const { response, socket, failure } = exchange;
  if (failure?.kind === 'ended') return 'ended';
  if (failure?.kind === 'timeout' || failure?.kind === 'reset') return 'nothing';
  if (response === null || (failure !== null && failure.kind !== 'cut')) return 'open';
  const { status } = response;
  const transient = transientIn(exchange);
  if (status >= 500 && transient?.cause !== 'locked-out') {
    return isBroken(exchange, status) ? 'nothing' : 'held';
  }
  if (transient !== null) return transient.cause === 'timeout' ? 'nothing' : 'held';
  if (status >= 400) return 'refused';
  if (socket === null) return 'served';
  if (socket.frames.every(({ from }) => from === 'us')) return 'open';
  return errorBody(exchange) === null ? 'served' : 'refused';
}

/** Statuses that are never temporary, whatever their text. 501 refuses, and 529 means load. */
const alwaysBroken: ReadonlySet<number> = new Set([500, 502, 504]);

function isBroken(exchange: Exchange, status: number): boolean {
  if (headerValues(exchange, 'retry-after').length > 0) return false;
  if (alwaysBroken.has(status)) return true;
  const body = text(exchange);
  return status === 503 && !(body.ok && speaksOfLoad(body.value));
}
