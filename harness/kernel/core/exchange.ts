import type { ExchangeId } from './exchange-id.ts';
import type { ExchangeProtocol } from './protocol.ts';

/**
 * One recorded request and its answer, or one WebSocket conversation. Everything that is ever judged
 * is one of these. It holds no secret: credentials are masked, byte for byte, when it is made.
 */
export interface Exchange {
  readonly id: ExchangeId;
  readonly about: About;
  readonly request: SentRequest;
  /** Null when no status line came. On a WebSocket: the answer to the upgrade. */
  readonly response: ReceivedResponse | null;
  /** Null unless a WebSocket was opened. */
  readonly socket: SocketTranscript | null;
  /** Failure that ended the exchange early; null if it ended naturally. */
  readonly failure: ExchangeFailure | null;
  readonly times: Times;
  /** Names of the credentials that the answer repeated, in whatever encoding. */
  readonly echoed: readonly string[];
  /**
   * The connection broke, and a later attempt was told that there is nothing left to do: it had been carried
   * out. Follows from the exchanges, and is not recorded.
   */
  readonly carriedOut?: true;
  /** Left out where no connection stood, and where no run has sent it. */
  readonly peer?: Peer;
}

/** With whom exchanges were: what was seen when their connections were opened. Many exchanges share one. */
export interface Peer {
  /** Digest of the rest. */
  readonly id: string;
  /** `host` or `host:port`, as the address of the requests has it. */
  readonly host: string;
  /** The IP address; null: a proxy knows it. */
  readonly address: string | null;
  /** Null: plain HTTP. */
  readonly tls: PeerTls | null;
}

/** Sources of the list of trusted certificate authorities. */
export const trusts = ['system', 'target-file', 'started-for-the-run'] as const;

export interface PeerTls {
  /** `TLSv1.3` */
  readonly protocol: string;
  /** The certificate is for the host, holds now, and leads to an authority that is trusted. */
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
  /** Name of the header that shows the owner's key besides. */
  readonly beside?: string;
  /** Headers with a secret in them, as the target file writes them: `${NAME}` is a variable of the environment. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** Names and values in the order they stood on the wire; values decoded as latin1. */
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
  /** Decoded from its content coding, whether or not that was asked for. */
  readonly body: Uint8Array;
  /** End offset in `body` and arrival time of each piece. */
  readonly chunks: readonly Chunk[];
  /** True when the message ended as its framing says. */
  readonly complete: boolean;
  /** Over what it came, where that is no HTTP/1.1 connection of its own. */
  readonly over?: 'kept connection' | 'http/2';
}

export interface Chunk {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Offset in the body of the byte after the last one of this piece. */
  readonly end: number;
}

/** Milliseconds since the start of the run. */
interface Times {
  readonly started: number;
  /** When the status line and the headers were there. */
  readonly headers: number | null;
  readonly ended: number;
  /**
   * The longest time for which the event loop of this process stood meanwhile, in milliseconds: nothing was
   * read then. Left out where it never stood.
   */
  readonly stalledMs?: number;
}

/** Failures that can end an exchange early. */
export const failureKinds = [
  /** Nobody listens there, or the name does not resolve. */
  'unreachable',
  /** Our own machine has no room for another connection. */
  'local-resources',
  /** The connection broke before the message was whole. */
  'reset',
  /**
   * A kept connection broke before any of the answer had arrived. The gateway may have closed it before the
   * request.
   */
  'closed',
  /** The connection broke, and nothing listens at the address any more: the gateway exited or restarted. */
  'ended',
  /** The proxy of the user did not let it through, or the way through it broke, by whomever. */
  'proxy',
  /** The time-out of the exchange ran out. */
  'timeout',
  /** The bytes received are not HTTP, or not WebSocket. */
  'not-http',
  /** The answer breaks no rule that we know of, but our own library cannot read it. */
  'unread',
  /** More came than is read, in bytes or in things: the bound is ours, and more than the longest run needs. */
  'too-large',
  /** The body does not decode by its content coding. */
  'undecodable',
  /** The gateway had locked us out, after what was sent before: it refused what it had served until then. */
  'locked-out',
  /** We broke it off on purpose: the scenario cuts the connection here. */
  'cut',
  /** The user broke the run off: the request was not sent, or its answer was waited for no longer. */
  'interrupted',
  /** The time limit that the user set for the run had passed. */
  'out-of-time',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface ExchangeFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

export interface SocketTranscript {
  readonly frames: readonly SocketFrame[];
  /** Close code, reason and closing side; null while the WebSocket is open, or if the connection broke. */
  readonly close: {
    readonly code: number;
    readonly reason: string;
    readonly by: 'us' | 'gateway';
  } | null;
  /** True if a ping of ours got its pong. Left out if none was sent, or if the connection ended meanwhile. */
  readonly ponged?: boolean;
}

export interface SocketFrame {
  readonly from: 'us' | 'gateway';
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly kind: 'text' | 'binary';
  readonly data: Uint8Array;
}
