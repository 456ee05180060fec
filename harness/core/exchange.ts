import type { ExchangeProtocol } from './protocol.ts';

/**
 * One recorded request and its answer, or one WebSocket conversation. Everything that is ever judged
 * is one of these. It holds no secret: credentials are masked, byte for byte, when it is made.
 */
export interface Exchange {
  /** `<scenario>#<lane>/<ordinal>`; unique in a run, the same in every run of the same suite. */
  readonly key: string;
  readonly about: About;
  readonly request: SentRequest;
  /** Null when no status line came. On a WebSocket: the answer to the upgrade. */
  readonly response: ReceivedResponse | null;
  /** Null unless a WebSocket was opened. */
  readonly socket: SocketTranscript | null;
  /** What ended the exchange, when that was not its natural end. */
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

/** Who can say which authorities are trusted. */
export const trusts = ['system', 'target-file', 'started-for-the-run'] as const;

export interface PeerTls {
  /** `TLSv1.3` */
  readonly protocol: string;
  /** The certificate is for the host, holds now, and leads to an authority that is trusted. */
  readonly verified: boolean;
  /** Who says which authorities are trusted. */
  readonly trusts: (typeof trusts)[number];
  /** From the certificate of the host to its authority, in base64. */
  readonly chain: readonly string[];
}

/** What the caller meant by it; labels, for people and for reports. */
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
  /** Where each piece that arrived ends in `body`, and when it came. */
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
export interface Times {
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

/** What can end an exchange before its time. */
export const failureKinds = [
  /** Nobody listens there, or the name does not resolve. */
  'unreachable',
  /** Our own machine has no room for another connection. */
  'local-resources',
  /** The connection broke before the message was whole. */
  'reset',
  /** The same, before any of the answer had come, of a connection that was kept: it may have been closed before. */
  'closed',
  /** The same, and nobody listened there any more: the gateway has ended, or restarted. */
  'ended',
  /** The proxy of the user did not let it through, or the way through it broke, by whomever. */
  'proxy',
  /** The time-out of the exchange ran out. */
  'timeout',
  /** What came back is no HTTP, or no WebSocket. */
  'not-http',
  /** What came back breaks no rule that we know of, and our own library cannot read it. */
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
  /** The same, because the time was over that the user gave the run. */
  'out-of-time',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface ExchangeFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

export interface SocketTranscript {
  readonly frames: readonly SocketFrame[];
  /** How it was closed; null while open, or when the connection just broke. */
  readonly close: {
    readonly code: number;
    readonly reason: string;
    readonly by: 'us' | 'gateway';
  } | null;
  /** Whether a ping of ours got its pong; left out where none was sent, or the connection ended meanwhile. */
  readonly ponged?: boolean;
}

export interface SocketFrame {
  readonly from: 'us' | 'gateway';
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly kind: 'text' | 'binary';
  readonly data: Uint8Array;
}
