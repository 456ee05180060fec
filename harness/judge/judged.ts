import type { Exchange, ExchangeFailure } from '../core/exchange.ts';
import { errorBody } from '../protocols/content.ts';
import { errorInWords, undecidedError, undecidedStatuses } from '../protocols/error-body.ts';
import { inWords, requestInWords } from './wording.ts';

/** Whether an exchange is what was asked: yes, no with what it is instead, or not to be said. */
export type Judged =
  | { readonly state: 'yes' }
  | { readonly state: 'no'; readonly actual: string }
  | { readonly state: 'undecided'; readonly reason: string };

export const yes: Judged = { state: 'yes' };

export function no(actual: string): Judged {
  return { state: 'no', actual };
}

export function undecided(reason: string): Judged {
  return { state: 'undecided', reason };
}

/**
 * Why nothing can be said about an exchange, whatever was expected of it: 402, 429, 502, 503, 504,
 * 529 or their like inside a stream, a connection that we could not get, a time-out, an interrupted
 * run. Null when it can be judged.
 */
export function undecidedBecause(exchange: Exchange): string | null {
  const { response, failure, socket } = exchange;
  const request = requestInWords(exchange);
  const status = response === null ? undefined : undecidedStatuses[response.status];
  if (status !== undefined) return `${request} was answered ${response?.status}: ${status}`;
  const streamed = response === null || response.status < 300 ? errorBody(exchange) : null;
  if (streamed !== null) {
    const why = undecidedError(streamed);
    if (why !== null) return `${request} came to ${why}: ${errorInWords(streamed)}`;
  }
  const code = socket?.close?.by === 'gateway' ? socket.close.code : null;
  if (code === 1012 || code === 1013) return `${request}: the gateway closed with ${code}`;
  if (failure === null || socket !== null) return null;
  const ours: readonly string[] = ['unreachable', 'timeout', 'interrupted'];
  return ours.includes(failure.kind) ? `${request}: ${inWords(failure)}` : null;
}

/**
 * The time ran out, or the gateway is gone: what else would have come over a stream or a socket that
 * was open, nobody knows.
 */
export function isLost(failure: ExchangeFailure | null): failure is ExchangeFailure {
  return failure?.kind === 'timeout' || failure?.kind === 'unreachable';
}

/** What to add to a reason why something is not there, when it was lost: `: …`, or nothing. */
export function lostBecause({ failure }: Exchange): string {
  if (!isLost(failure)) return '';
  const advice = failure.kind === 'timeout' ? '; raise `limits.timeoutMs`' : '';
  return `: ${inWords(failure)}${advice}`;
}
