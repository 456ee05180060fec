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

/** A gateway to be judged, as the target file describes it, with all defaults. */
export interface Target extends RestrictionFlags {
  readonly name: string;
  /** At least one. The first is the default region of calls. */
  readonly regions: readonly Region[];
  /** The publishers' names as they appear in header names. */
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** Value of the Messages version header, `YYYY-MM-DD`. */
  readonly versionDate: string;
  /** Credential headers that the specification does not define: `bearer`, or a header name. */
  readonly credentials: {
    readonly chat: string;
    readonly systemone: string;
    readonly models: string;
  };
  /** Headers of other protocols in which the gateway deliberately accepts the key. */
  readonly acceptsAlso: Readonly<Record<ShownCredential, readonly CredentialHeader[]>>;
  /** Names of endpoints that the gateway serves as well, and that are not judged. */
  readonly alsoServes?: readonly string[];
  readonly identity: RequestIdentity;
  /** Sent with every request to the gateway. */
  readonly headers: CustomHeaders;
  readonly protocols: ProtocolPlaces;
  readonly tls?: Tls;
  /** Proxies of the environment, if an address of the target is reached through one. Never recorded. */
  readonly proxies?: Proxies;
  /** Values of `${NAME}` in headers and passphrases. Never printed. */
  readonly variables: Variables;
  readonly retentionDays: number;
  /** True to try acts that cost generations in more circumstances, on each kind of stored response in each region. */
  readonly thorough: boolean;
  /** Names of the only acts to try: a proof only needs those that can find its planted fault. Default: all. */
  readonly onlyCells?: ReadonlySet<string>;
  readonly systemone: SystemOneTarget;
  readonly keys: Keys;
  readonly models: readonly Model[];
  readonly probes: Probes;
  /** Names of the claimed profiles. If absent, the declarations of its models determine them. */
  readonly profiles?: readonly string[];
  /** Sent with every request to the probes. */
  readonly probeHeaders: CustomHeaders;
  readonly limits: Limits;
  /** Providers of the gateway that Touchstone plays. */
  readonly providers?: Providers;
  /** Behaviour between its clients and its providers that the gateway shows on purpose. */
  readonly gateway?: DeclaredBehaviour;
  /** The client under test. If present, this target is the gateway that it calls. */
  readonly client?: ClientSubject;
}

/** Protocols in which Touchstone plays a provider. */
export const playedProtocols = ['chat-completions', 'messages'] as const;
export type PlayedProtocol = (typeof playedProtocols)[number];

export interface Providers {
  /** Listeners, each with the host and port that it listens on. */
  readonly listen: readonly { readonly name: string; readonly at: string }[];
  /** Keys by the name of the listener. `client`: the gateway passes on the key of its client. */
  readonly keys: Readonly<Record<string, string>>;
  readonly routes: readonly ProviderRoute[];
}

/** A model of the gateway, and how it asks its provider for it. */
export interface ProviderRoute {
  readonly model: string;
  readonly asks: PlayedProtocol;
  /** The model that the gateway names to its provider. */
  readonly as: string;
  /** Names of the listeners that may serve it. */
  readonly at: readonly string[];
}

/** Refusals that prove that a provider has not generated. */
export const provenRefusals = ['429', '503', 'refused'] as const;

export interface DeclaredBehaviour {
  readonly retries?: readonly { readonly on: readonly string[]; readonly times: number }[];
  readonly fallback?: { readonly on: readonly string[] };
  readonly adds?: readonly string[];
  readonly drops?: readonly string[];
}

export interface Region {
  readonly name: string;
  /** Base address with an optional path prefix and without a trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request to this region, in addition to the target's headers. */
  readonly headers?: CustomHeaders;
  readonly protocols?: ProtocolPlaces;
  /** Replaces the target's TLS settings. */
  readonly tls?: Tls;
}

/** Trusted authorities and the client certificate for TLS. */
export interface Tls {
  /** Trusted authorities, which replace the default ones. */
  readonly ca?: PemFile;
  readonly certificate?: PemFile;
  readonly key?: PemFile;
  /** Passphrase of the key. `${NAME}` stands for an environment variable. */
  readonly passphrase?: string;
}

export interface PemFile {
  /** Path as written in the target file. */
  readonly path: string;
  /** Content of the file. Never printed, and never recorded. */
  readonly pem: string;
}

/** Addresses and headers of protocols that differ from the rest. `models` is the list of the `/v1` family. */
export type ProtocolPlaces = Readonly<Partial<Record<Protocol | 'models', ProtocolPlace>>>;

export interface ProtocolPlace {
  /** Absolute URL, or a path below the region's base address. */
  readonly baseUrl?: string;
  readonly headers?: CustomHeaders;
}

export interface SystemOneTarget {
  /** `public` is the public System One API. `custom` limits requests to what the specification describes. */
  readonly dialect: 'public' | 'custom';
  /** The request body if the dialect is `custom`. `model` is filled in. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export const keyNames = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/** Key values, never printed. Empty if the gateway takes no keys. */
export interface Keys {
  /** Key of user A. Absent if the gateway takes no keys. */
  readonly owner?: string;
  /** Another key of user A. */
  readonly sameUser?: string;
  /** Key of user B. */
  readonly otherUser?: string;
  /** Key of user A without permission for the models under test. */
  readonly restricted?: string;
}

export interface Model {
  readonly id: string;
  readonly protocols: readonly Protocol[];
  /** Capabilities of its channel. One in neither list is unknown. */
  readonly supports: readonly Capability[];
  readonly lacks: readonly Capability[];
  /** Names of the permitted keys. Null for owner, sameUser and otherUser. */
  readonly permitted: readonly (keyof Keys)[] | null;
  /** Regions that have the model. Default: the first, and every other one that lists it. */
  readonly regions?: readonly string[];
  /** True if the model always gives the same answer to a request, streamed or not. */
  readonly deterministic: boolean;
}

export interface Probes {
  /** Addresses that answer `GET ?client_request_id=`. All of them are queried. Empty if there is no such probe. */
  readonly ledger: readonly string[];
  /**
   * Addresses that take `POST { response_id, age_seconds }`. All of them are called. Empty if there is no such probe.
   */
  readonly clock: readonly string[];
}

export interface Limits {
  readonly concurrency: number;
  /** Null for no limit except for the concurrency. */
  readonly requestsPerSecond: number | null;
  /** Maximum rate of hostile requests. Null for the rate of all others. */
  readonly hostilePerSecond: number | null;
  /** Rates up to which a default rate may grow. Absent where the target file sets the rate. */
  readonly mostRequestsPerSecond?: number;
  readonly mostHostilePerSecond?: number;
  /** Timeout of one exchange, from start to end, in milliseconds. */
  readonly timeoutMs: number;
  /** Explicit output limit of ordinary generations: at least 16, the native minimum. */
  readonly maxOutputTokens: number;
  /** Output limit of long generations, which are meant to be stopped. */
  readonly longRunTokens: number;
  /** Maximum time to poll a background response, or to wait for a gateway that requests a pause, in milliseconds. */
  readonly patienceMs: number;
  /** Milliseconds until a stored, cancelled or deleted response must be consistent everywhere. */
  readonly consistencyMs: number;
}
