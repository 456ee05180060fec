import type {
  CredentialHeader,
  Exchange,
  ExchangeProtocol,
  Protocol,
  RequestIdentity,
} from '../core/index.ts';
import type { CustomHeaders, Cut, KeptConnection, Variables } from '../wire/index.ts';

/**
 * A request that is ready to be sent but for its credential: what a client builds, protocol by
 * protocol, and a caller sends.
 */
export interface Call {
  /** `responses.create`, `messages.count-tokens`: the label in records and reports. */
  readonly operation: string;
  /** By whose rules it is answered; also decides which credential header is its own. */
  readonly protocol: ExchangeProtocol;
  readonly method: string;
  /** Below the base address, encoded: `/v1beta/models/acme%2Fm:generateContent`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Absolute, in place of a base address and a path: for what is not below the gateway's own. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; bytes and text go as they are, with `application/json`. */
  readonly body?: unknown;
  /** `events`: an event stream is hoped for. `socket`: a WebSocket upgrade. */
  readonly expects: 'json' | 'events' | 'socket';
}

/**
 * Keys by their names in the target file; `none` sends no credential, `unknown` one that does not exist,
 * and an altered key one that is almost the owner's.
 */
export type KeyName =
  | 'owner'
  | 'sameUser'
  | 'otherUser'
  | 'restricted'
  | 'none'
  | 'unknown'
  | AlteredKey;

/** In what a key departs from the owner's: `empty` is a header with nothing in the key's place. */
export type AlteredKey = 'changed' | 'longer' | 'shorter' | 'otherCase' | 'empty';

/** Place of a credential in a request. `own` is the header that the protocol of the call names. */
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

/** The headers that the specification names for a protocol. */
export type ForeignHeader = CredentialHeader;

/** Differences of one call from the baseline. By default, the owner calls the first region. */
export interface CallOptions {
  readonly key?: KeyName;
  readonly placement?: Placement;
  /** The header in which the owner's key is sent besides. */
  readonly beside?: ForeignHeader;
  /** The Messages version header: null leaves it out. Default: the date of the target file. */
  readonly version?: string | null;
  /** Name of a region of the target file. */
  readonly region?: string;
  /** Break the connection at the socket once so many events of the stream have come. */
  readonly cut?: Cut;
  /** Break the connection once so many bytes of the request's body have been sent. */
  readonly cutRequestAfterBytes?: number;
  /**
   * Called once, when the first event of the stream has come, with its data: for a scenario that does
   * something else while it goes on. Not called when none comes: wait for the exchange as well.
   */
  readonly onFirstEvent?: (data: string) => void;
  /** Sent as `Accept-Encoding`. Default: what the usual client accepts; `identity` where we say who we are. */
  readonly acceptEncoding?: string;
  /** Null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent over this connection, behind what was sent over it before. Default: one of its own. */
  readonly over?: KeptConnection;
  /** HTTP/2 is offered; without TLS, or where the gateway does not take it, HTTP/1.1 is spoken. */
  readonly offersHttp2?: boolean;
}

/** By the names of protocols; `models` is the list of the `/v1` family. */
type DeployedProtocols = Readonly<
  Partial<
    Record<
      Protocol | 'models',
      {
        /** Absolute; or a path that is added to the base address of the region. */
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

/** Description of the target for the clients. */
export interface Deployment {
  readonly regions: readonly DeployedRegion[];
  /** As whom requests are sent. Default: `ordinary`. */
  readonly identity?: RequestIdentity;
  /** Sent with every request to the gateway. */
  readonly headers?: CustomHeaders;
  /** Protocols that are served at another base address or with other headers than the rest. */
  readonly protocols?: DeployedProtocols;
  /** Sent with every request to a probe. */
  readonly probeHeaders?: CustomHeaders;
  /** Values of `${NAME}` in custom headers. */
  readonly variables?: Variables;
  /** The publishers' names as they stand in header names. */
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** Value of the Messages version header, `YYYY-MM-DD`. */
  readonly versionDate: string;
  /** Placement of the key where the specification shows no header: `bearer`, or the name of a header. */
  readonly credentials: {
    readonly chat: string;
    readonly systemone: string;
    readonly models: string;
  };
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
}

/** Sends calls, exactly once each, and records them. Made by the scenario that calls. */
export interface Caller {
  send(call: Call, options?: CallOptions): Promise<Exchange>;
  open(call: Call, options?: CallOptions): Promise<SocketSession>;
}

/** An open WebSocket; or one that was refused, whose `exchange()` says how. */
export interface SocketSession {
  /** False when the upgrade was refused or failed. */
  readonly opened: boolean;
  /** Sends one text frame: an object as JSON, a string as it is; bytes as a binary frame. */
  send(frame: object | string | Uint8Array): void;
  /**
   * The frames of the gateway that came since the last call, up to and with the first for which
   * `until` is true; also returns when the socket closes or the time-out of the exchange runs out.
   */
  receive(
    until: (frame: { readonly text: string; readonly json: unknown }) => boolean,
  ): Promise<void>;
  /** Sends a ping, and waits a while for its pong: `socket.ponged` of the exchange says whether one came. */
  ping(): Promise<void>;
  /** Waits for the closing handshake. */
  close(): Promise<void>;
  /** Destroys the connection without a closing handshake. */
  terminate(): void;
  /** Ends the conversation if it is open, and gives the record of it. */
  exchange(): Promise<Exchange>;
}
