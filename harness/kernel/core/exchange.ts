import type { ExchangeId } from './exchange-id.ts';
import type { ExchangeProtocol } from './protocol.ts';

/**
 * One recorded request and its answer, or one WebSocket conversation. Every judgement works on exchanges. An
 * exchange holds no secret: credentials are masked, byte for byte, when it is created.
 */
export interface Exchange {
  readonly id: ExchangeId;
  readonly about: About;
  readonly request: SentRequest;
  /** Null if no status line arrived. On a WebSocket: the answer to the upgrade. */
  readonly response: ReceivedResponse | null;
  /** Null unless a WebSocket was opened. */
  readonly socket: SocketTranscript | null;
  /** Failure that ended the exchange early; null if it ended normally. */
  readonly failure: ExchangeFailure | null;
  readonly times: Times;
  /** Names of the credentials that the answer repeated, in any encoding. */
  readonly echoed: readonly string[];
  /** Set if a later attempt showed that this broken one was carried out. Not recorded. */
  readonly carriedOut?: true;
  /** Absent if no connection was established, or if no run has sent the exchange. */
  readonly peer?: Peer;
}

/** Remote end of connections, as seen when they were opened. Many exchanges share one. */
export interface Peer {
  /** Digest of the other members. */
  readonly id: string;
  /** `host` or `host:port`, as in the request URLs. */
  readonly host: string;
  /** The IP address; null: only a proxy knows it. */
  readonly address: string | null;
  /** Null: plain HTTP. */
  readonly tls: PeerTls | null;
}

/** Sources of the list of trusted certificate authorities. */
export const trusts = ['system', 'target-file', 'started-for-the-run'] as const;

export interface PeerTls {
  /** `TLSv1.3` */
  readonly protocol: string;
  /** True if the certificate is for the host, valid now, and issued by a trusted authority. */
  readonly verified: boolean;
  /** Source of the list of trusted authorities. */
  readonly trusts: (typeof trusts)[number];
  /** From the certificate of the host to its authority, in base64. */
  readonly chain: readonly string[];
}

/** Purpose of the exchange as the caller states it: labels for people and reports. */
export interface About {
  /** `responses.create`, `messages.count-tokens`. */
  readonly operation: string;
  /** The protocol whose rules the answer is judged by. */
  readonly protocol: ExchangeProtocol;
  readonly region: string;
  /** Name of the key in the target file, or `none`, `unknown`, or an altered key such as `shorter`. */
  readonly key: string;
  /** Name of a further header that shows the owner's key. */
  readonly beside?: string;
  /** Set if the gateway asked a provider that Touchstone played. Absent: Touchstone asked the gateway. */
  readonly side?: 'back';
  /** Headers with a secret, as the target file writes them: `${NAME}` is an environment variable. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** Names and values in the order on the wire; values decoded as latin1. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderLines;
  readonly body: Uint8Array | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Decoded from its content coding, even if none was requested. */
  readonly body: Uint8Array;
  /** End offset in `body` and arrival time of each piece. */
  readonly chunks: readonly Chunk[];
  /** True if the message ended as its framing says. */
  readonly complete: boolean;
  /** Transport, if it is not a fresh HTTP/1.1 connection. */
  readonly over?: 'kept connection' | 'http/2';
}

export interface Chunk {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Offset in the body after the last byte of this piece. */
  readonly end: number;
}

/** Milliseconds since the start of the run. */
interface Times {
  readonly started: number;
  /** When the status line and the headers had arrived. */
  readonly headers: number | null;
  readonly ended: number;
  /** The longest block of our event loop in milliseconds, when nothing was read. Absent if none. */
  readonly stalledMs?: number;
}

/** Failures that can end an exchange early. */
export const failureKinds = [
  /** The address refuses connections, or the name does not resolve. */
  'unreachable',
  /** Our machine has no room for another connection. */
  'local-resources',
  /** The connection broke before the message was complete. */
  'reset',
  /** A kept connection broke before the answer. The gateway may have closed it before the request. */
  'closed',
  /** The connection broke, and nothing listens any more: the gateway exited or restarted. */
  'ended',
  /** The proxy of the user refused the request, or the connection through it broke at either end. */
  'proxy',
  /** The timeout of the exchange. */
  'timeout',
  /** The bytes received are not HTTP, or not WebSocket. */
  'not-http',
  /** The answer breaks no rule that we know of, but our library cannot read it. */
  'unread',
  /** The answer exceeds our limits, which are above the needs of the longest run. */
  'too-large',
  /** The body does not decode by its content coding. */
  'undecodable',
  /** The gateway had locked us out: it refused a request that it had served before. */
  'locked-out',
  /** We cut the connection on purpose, because the scenario does. */
  'cut',
  /** The user interrupted the run: the request was not sent, or its answer was no longer awaited. */
  'interrupted',
  /** The time limit of the run had passed. */
  'out-of-time',
  /** The requests or generations of the run were spent: the request was not sent. */
  'over-budget',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface ExchangeFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

export interface SocketTranscript {
  readonly frames: readonly SocketFrame[];
  /** Close code, reason and closing side; null while it is open, or if the connection broke. */
  readonly close: {
    readonly code: number;
    readonly reason: string;
    readonly by: 'us' | 'gateway';
  } | null;
  /** True if our ping got its pong. Absent if none was sent, or if the connection ended first. */
  readonly ponged?: boolean;
}

export interface SocketFrame {
  readonly from: 'us' | 'gateway';
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly kind: 'text' | 'binary';
  readonly data: Uint8Array;
}
