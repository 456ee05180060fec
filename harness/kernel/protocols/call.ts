import type {
  CredentialHeader,
  Exchange,
  ExchangeProtocol,
  Protocol,
  RequestIdentity,
} from '../core/index.ts';
import type { CustomHeaders, Cut, KeptConnection, Variables } from '../wire/index.ts';

/** A request that lacks only its credential. The client of a protocol builds it, and a caller sends it. */
export interface Call {
  /** `responses.create`, `messages.count-tokens`: the label in records and reports. */
  readonly operation: string;
  /** Protocol of the answer. It also determines the default credential header. */
  readonly protocol: ExchangeProtocol;
  readonly method: string;
  /** Encoded path below the base address: `/v1beta/models/acme%2Fm:generateContent`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Absolute URL, for an address outside of the gateway's base address. Replaces `path`. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, bytes and text unchanged. The content type is always `application/json`. */
  readonly body?: unknown;
  /** `events` requests an event stream, `socket` a WebSocket upgrade. */
  readonly expects: 'json' | 'events' | 'socket';
}

/**
 * Keys by their names in the target file. `none` sends no credential, `unknown` a key that does not exist, and an
 * altered key one that is almost the owner's.
 */
export type KeyName =
  | 'owner'
  | 'sameUser'
  | 'otherUser'
  | 'restricted'
  | 'none'
  | 'unknown'
  | AlteredKey;

/** Difference between a key and the owner's. `empty` sends the header without a key. */
export type AlteredKey = 'changed' | 'longer' | 'shorter' | 'otherCase' | 'empty';

/** Place of a credential in a request. `own` is the header of the call's protocol. */
export type Placement =
  | 'own'
  /** Header of the protocol, with its name and the scheme in lower case: `authorization: bearer <key>`. */
  | 'own-lower-case'
  /** `Authorization: Bearer <key>` */
  | 'bearer'
  /** `x-api-key: <key>` */
  | 'x-api-key'
  /** `x-<vendorB>-api-key: <key>` */
  | 'vendorB-api-key'
  /** `?key=<key>` */
  | 'query-key'
  /** `?api_key=<key>` */
  | 'query-api_key'
  /** `Authorization: <key>` */
  | 'bare'
  /** `Authorization: Basic base64(<key>:)` */
  | 'basic';

/** The headers that the specification names for protocols. */
export type ForeignHeader = CredentialHeader;

/** Differences of one call from the baseline. By default, the owner calls the first region. */
export interface CallOptions {
  /**
   * True if the provider of the gateway is made to fail for this request. The answer says nothing about the state of
   * the gateway: it is not sent again, and no pace, lockout or budget follows from it.
   */
  readonly provoked?: true;
  readonly key?: KeyName;
  readonly placement?: Placement;
  /** Header that sends the owner's key in addition. */
  readonly beside?: ForeignHeader;
  /** The Messages version header. Null omits it. Default: the date of the target file. */
  readonly version?: string | null;
  /** Name of a region of the target file. */
  readonly region?: string;
  /** Breaks the connection after a number of events. */
  readonly cut?: Cut;
  /** Number of body bytes after which the connection is broken. */
  readonly cutRequestAfterBytes?: number;
  /**
   * Called once with the data of the first event, while the stream continues: lets a scenario act during a stream.
   * Never called if no event arrives, so wait for the exchange as well.
   */
  readonly onFirstEvent?: (data: string) => void;
  /** Value of `Accept-Encoding`. Default: that of the usual client, or `identity` if requests identify Touchstone. */
  readonly acceptEncoding?: string;
  /** Null omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Connection to use, after earlier requests on it. Default: a new one. */
  readonly over?: KeptConnection;
  /** True to offer HTTP/2. HTTP/1.1 is used without TLS, or if the gateway declines. */
  readonly offersHttp2?: boolean;
}

/** Settings by protocol name. `models` is the list of the `/v1` family. */
type DeployedProtocols = Readonly<
  Partial<
    Record<
      Protocol | 'models',
      {
        /** Absolute URL, or a path below the region's base address. */
        readonly baseUrl?: string;
        readonly headers?: CustomHeaders;
      }
    >
  >
>;

export interface DeployedRegion {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers?: CustomHeaders;
  readonly protocols?: DeployedProtocols;
}

export interface Deployment {
  readonly regions: readonly DeployedRegion[];
  /** Identity that requests assume. Default: `ordinary`. */
  readonly identity?: RequestIdentity;
  /** Sent with every request to the gateway. */
  readonly headers?: CustomHeaders;
  /** Protocols that have a different base address or different headers. */
  readonly protocols?: DeployedProtocols;
  /** Sent with every request to a probe. */
  readonly probeHeaders?: CustomHeaders;
  /** Keys that the gateway shows to providers that Touchstone plays. */
  readonly providers?: { readonly keys: Readonly<Record<string, string>> };
  /** Values of `${NAME}` in custom headers. */
  readonly variables?: Variables;
  /** The publishers' names as they appear in header names. */
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** Value of the Messages version header, `YYYY-MM-DD`. */
  readonly versionDate: string;
  /** Placement of the key for protocols without a specified header: `bearer`, or a header name. */
  readonly credentials: {
    readonly chat: string;
    readonly systemone: string;
    readonly models: string;
  };
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
}

/** Sends each call exactly once, and records it. Created by the scenario. */
export interface Caller {
  send(call: Call, options?: CallOptions): Promise<Exchange>;
  open(call: Call, options?: CallOptions): Promise<SocketSession>;
}

/** An open WebSocket, or a refused upgrade, which `exchange()` describes. */
export interface SocketSession {
  /** False if the upgrade was refused or failed. */
  readonly opened: boolean;
  /** Sends a frame: an object as JSON text, a string as text, bytes as a binary frame. */
  send(frame: object | string | Uint8Array): void;
  /**
   * Returns the received frames since the last call, up to and including the first for which `until` is true. Also
   * returns when the socket closes or the exchange times out.
   */
  receive(
    until: (frame: { readonly text: string; readonly json: unknown }) => boolean,
  ): Promise<void>;
  /** Sends a ping, and waits for its pong. `socket.ponged` of the exchange tells if one arrived. */
  ping(): Promise<void>;
  /** Closes the socket, and waits for the closing handshake. */
  close(): Promise<void>;
  /** Destroys the connection without a closing handshake. */
  terminate(): void;
  /** Ends the conversation if it is open, and returns its record. */
  exchange(): Promise<Exchange>;
}
