import type {
  Capability,
  ClientSubject,
  CredentialHeader,
  Protocol,
  RequestIdentity,
  RestrictionFlags,
  ShownCredential,
} from '../core/index.ts';
import type { CustomHeaders, Proxies, Variables } from '../wire/index.ts';

/** A gateway to be judged, as the target file describes it, with every default filled in. */
export interface Target extends RestrictionFlags {
  readonly name: string;
  /** At least one; the first is where calls go that say nothing else. */
  readonly regions: readonly Region[];
  /** The publishers' names as they stand in header names. */
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** Value of the Messages version header, `YYYY-MM-DD`. */
  readonly versionDate: string;
  /** Credential headers that the specification does not show: `bearer`, or the name of a header. */
  readonly credentials: {
    readonly chat: string;
    readonly systemone: string;
    readonly models: string;
  };
  /** Headers of other protocols in which the gateway takes the key on purpose, too. */
  readonly acceptsAlso: Readonly<Record<ShownCredential, readonly CredentialHeader[]>>;
  /** As whom requests are sent. */
  readonly identity: RequestIdentity;
  /** Sent with every request to the gateway. */
  readonly headers: CustomHeaders;
  readonly protocols: ProtocolPlaces;
  readonly tls?: Tls;
  /** Proxies of the environment, if an address of the target is reached through one. In no record. */
  readonly proxies?: Proxies;
  /** Values of `${NAME}` in headers and passphrases. Never printed. */
  readonly variables: Variables;
  readonly retentionDays: number;
  /** Acts on stored responses are tried in every triple of circumstances, and not only in every pair. */
  readonly thorough: boolean;
  /** The names of the only acts that are tried: a proof looks where it has planted a fault. Default: all. */
  readonly onlyCells?: ReadonlySet<string>;
  readonly systemone: SystemOneTarget;
  readonly keys: Keys;
  readonly models: readonly Model[];
  readonly probes: Probes;
  /** The names of the profiles that it claims; left out: what its models declare says it. */
  readonly profiles?: readonly string[];
  /** Sent with every request to the probes. */
  readonly probeHeaders: CustomHeaders;
  readonly limits: Limits;
  /** The client that is judged in its place: this is the gateway that it speaks to. */
  readonly client?: ClientSubject;
}

export interface Region {
  readonly name: string;
  /** With or without a path prefix, without a final slash. */
  readonly baseUrl: string;
  /** Sent with every request to this region, besides those of the target. */
  readonly headers?: CustomHeaders;
  readonly protocols?: ProtocolPlaces;
  /** In the place of that of the target. */
  readonly tls?: Tls;
}

/** Trusted authorities and the client certificate for TLS. */
export interface Tls {
  /** Authorities that are trusted in the place of the usual ones. */
  readonly ca?: PemFile;
  /** Client certificate. */
  readonly certificate?: PemFile;
  readonly key?: PemFile;
  /** Passphrase of the key; `${NAME}` stands for a variable of the environment. */
  readonly passphrase?: string;
}

export interface PemFile {
  /** As the target file names it. */
  readonly path: string;
  /** Content of the file. Never printed, and in no record. */
  readonly pem: string;
}

/**
 * Addresses and headers of protocols that are served in another way than the rest; `models` is the list of
 * the `/v1` family.
 */
export type ProtocolPlaces = Readonly<Partial<Record<Protocol | 'models', ProtocolPlace>>>;

export interface ProtocolPlace {
  /** Absolute; or a path that is added to the base address of the region. */
  readonly baseUrl?: string;
  readonly headers?: CustomHeaders;
}

export interface SystemOneTarget {
  /** `public`: the public System One API. `custom`: only what the specification says is asked of it. */
  readonly dialect: 'public' | 'custom';
  /** The request body to send when the dialect is `custom`; `model` is filled in. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export const keyNames = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/** Key values. Never printed. None at all: the gateway takes none. */
export interface Keys {
  /** User A. Left out: the gateway takes no keys. */
  readonly owner?: string;
  /** User A, another key. */
  readonly sameUser?: string;
  /** User B. */
  readonly otherUser?: string;
  /** User A, without permission for the models under test. */
  readonly restricted?: string;
}

export interface Model {
  readonly id: string;
  /** The protocols that it declares. */
  readonly protocols: readonly Protocol[];
  /** Capabilities of its channel. One in neither list is unknown. */
  readonly supports: readonly Capability[];
  readonly lacks: readonly Capability[];
  /** The keys of the target file that may use it; null: owner, sameUser and otherUser. */
  readonly permitted: readonly (keyof Keys)[] | null;
  /** The regions that have it. Default: the first, and each further one whose lists show it. */
  readonly regions?: readonly string[];
  /** True if the model gives the same answer to the same request every time, streamed or not. */
  readonly deterministic: boolean;
}

export interface Probes {
  /** Addresses that answer `GET ?client_request_id=`; all are asked. Empty: no such probe. */
  readonly ledger: readonly string[];
  /** Addresses that take `POST { response_id, age_seconds }`; all are told. Empty: no such probe. */
  readonly clock: readonly string[];
}

export interface Limits {
  /** Exchanges under way at once. */
  readonly concurrency: number;
  /** Null: as fast as the concurrency allows. */
  readonly requestsPerSecond: number | null;
  /** Maximum rate of requests that a gateway may defend itself against; null: the rate of all others. */
  readonly hostilePerSecond: number | null;
  /** Milliseconds of one exchange, from its start to its end. */
  readonly timeoutMs: number;
  /** Explicit output limit of ordinary generations; 16 or more, the native minimum. */
  readonly maxOutputTokens: number;
  /** Output limit of runs that are long because they are meant to be stopped. */
  readonly longRunTokens: number;
  /**
   * Milliseconds for which a background response is polled, and for which a gateway that asks for a pause
   * is waited for.
   */
  readonly patienceMs: number;
  /** Milliseconds until a stored, cancelled or deleted response has to show everywhere. */
  readonly consistencyMs: number;
}
