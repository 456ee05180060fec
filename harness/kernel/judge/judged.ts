import type { Cause, Exchange, ExchangeFailure, FailureKind } from '../core/index.ts';
import { errorBody, errorInWords, undecidedError, undecidedStatuses } from '../protocols/index.ts';
import { brokeUnanswered, remembered } from '../wire/index.ts';
import { blockPage } from './block-page.ts';
import { inWords, outcome, requestInWords } from './wording.ts';

/** Judgement on an exchange: as expected, not as expected, or undecided. */
export type Judged =
  | { readonly state: 'yes' }
  | { readonly state: 'no'; readonly actual: string }
  | ({ readonly state: 'undecided' } & Undecided);

export interface Undecided {
  readonly cause: Cause;
  /** In words. */
  readonly reason: string;
}

export const yes: Judged = { state: 'yes' };

export function no(actual: string): Judged {
  return { state: 'no', actual };
}

/** Returns a negative judgement. Its text is computed only when it is read. */
export function noneBut(exchange: Exchange): Judged {
  return {
    state: 'no',
    get actual() {
      return outcome(exchange);
    },
  };
}

export function undecided(cause: Cause, reason: string): Judged {
  return { state: 'undecided', cause, reason };
}

/**
 * Returns the transient failure of an exchange, independent of the expectation: 402, 429, 502, 503, 504, 529 or
 * similar inside a stream, a connection that could not be opened, a timeout, an interrupted run. Null if the
 * exchange can be judged.
 */
export const transientIn: (exchange: Exchange) => Undecided | null = remembered(readTransient);

function readTransient(exchange: Exchange): Undecided | null {
  const { response, failure, socket } = exchange;
  // A lockout refuses all requests alike.
  if (failure?.kind === 'locked-out') return { cause: 'locked-out', reason: inWords(failure) };
  const request = (): string => requestInWords(exchange);
  const wall = blockPage(exchange);
  if (wall !== null) {
    const reason = `${request()} was answered ${response?.status} with a block page of ${wall}, and not by the gateway`;
    return { cause: 'locked-out', reason };
  }
  const status = response === null ? undefined : undecidedStatuses[response.status];
  if (status !== undefined) {
    const { cause, words } = status;
    return { cause, reason: `${request()} was answered ${response?.status}: ${words}` };
  }
  const streamed = response === null || response.status < 300 ? errorBody(exchange) : null;
  const why = streamed === null ? null : undecidedError(streamed);
  if (streamed !== null && why !== null) {
    const { cause, words } = why;
    return { cause, reason: `${request()} came to ${words}: ${errorInWords(streamed)}` };
  }
  const code = socket?.close?.by === 'gateway' ? socket.close.code : null;
  if (code === 1012 || code === 1013) {
    return { cause: 'overload', reason: `${request()}: the gateway closed with ${code}` };
  }
  if (failure === null) return null;
  if (brokeUnanswered(exchange)) {
    return { cause: 'unreachable', reason: `${request()}: ${inWords(failure)}` };
  }
  if (socket !== null) return null;
  const cause = causeOf(failure);
  return cause === null ? null : { cause, reason: `${request()}: ${inWords(failure)}` };
}

/** Returns the cause of a failure. Null: the gateway caused it, or we did on purpose. */
export function causeOf({ kind }: ExchangeFailure): Cause | null {
  return failureCauses[kind] ?? null;
}

const failureCauses: Readonly<Partial<Record<FailureKind, Cause>>> = {
  unreachable: 'unreachable',
  proxy: 'unreachable',
  'locked-out': 'locked-out',
  ended: 'unreachable',
  closed: 'unreachable',
  timeout: 'timeout',
  interrupted: 'interrupted',
  'out-of-time': 'out-of-time',
  'over-budget': 'over-budget',
  'local-resources': 'local-resources',
  unread: 'unread',
  'too-large': 'too-large',
};

/**
 * True if the rest of an open stream or socket was lost, so that its content is unknown: by a timeout, an exit of
 * the gateway, the end of the run, or a limit of ours.
 */
export function isLost(failure: ExchangeFailure | null): failure is Loss {
  return losses.has(failure?.kind);
}

const losses: ReadonlySet<FailureKind | undefined> = new Set<Loss['kind']>([
  'timeout',
  'unreachable',
  'proxy',
  'unread',
  'too-large',
  'ended',
  'closed',
  'interrupted',
  'out-of-time',
  'over-budget',
]);

interface Loss extends ExchangeFailure {
  readonly kind:
    | 'timeout'
    | 'unreachable'
    | 'proxy'
    | 'unread'
    | 'too-large'
    | 'ended'
    | 'closed'
    | 'interrupted'
    | 'out-of-time'
    | 'over-budget';
}

/** Returns text to append to a reason if the missing part was lost (`: …`), or an empty string. */
export function lostBecause({ failure }: Exchange): string {
  if (!isLost(failure)) return '';
  const advice = failure.kind === 'timeout' ? '; raise `limits.timeoutMs`' : '';
  return `: ${inWords(failure)}${advice}`;
}
