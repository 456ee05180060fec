import type { ReferenceGateway } from '../../reference/index.ts';

export interface OtherGateway {
  /** Name in the registry, and the short one that the command takes. */
  readonly name: string;
  readonly short: string;
  /** Exact: what it is found to do holds of this version. */
  readonly version: string;
  /** Versions of packages that it needs, where newer ones that it would get break it. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Packages that it is started with, which it does not bring itself; exact versions. */
  readonly beside?: Readonly<Record<string, string>>;
  /** True if it sends requests to a provider by itself, so that its upstream side can be judged. */
  readonly asksProvider?: true;
  /** Returns how to start it, and what it claims to offer. */
  prepare(place: Place): Prepared;
}

/** Ports and upstream for a gateway to be started. */
export interface Place {
  /** Port of the loopback address at which it listens. */
  readonly port: number;
  /** A port for each region of the upstream, of which that is the first: where one stands before all. */
  readonly ports: readonly number[];
  /** Gateway to which it may forward requests. */
  readonly upstream: ReferenceGateway;
}

export interface Prepared {
  /** Program from its package's folder, or, for a library, a few lines that start it. */
  readonly program: string | Script;
  readonly parameters?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that it reads, by their paths from its working folder, which is its home too. */
  readonly files?: Readonly<Record<string, string>>;
  /** Headers that its deployment adds to each request, one entry for each region. */
  readonly fronts?: readonly RegionFront[];
  /** True if it listens at every port itself, for the region of the upstream in that place. */
  readonly everyRegion?: true;
  /** Everything is served below it. */
  readonly path?: string;
  /** Besides regions and limits: only what its own documentation claims, `lacks` for the rest. */
  readonly target: TargetClaims;
}

export interface Script {
  /** Imports by package, as a pattern: `{ default: express }` of `express`. */
  readonly uses: Readonly<Record<string, string>>;
  readonly lines: string;
}

/** A region: an address of its own, where headers are added on the way in. */
interface RegionFront {
  readonly region: string;
  readonly headersFor: (path: string) => Readonly<Record<string, string>>;
}

export interface TargetClaims {
  readonly names?: { readonly vendorA: string; readonly vendorB: string };
  readonly retentionDays?: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly models: readonly ModelClaims[];
  /** Probes of the upstream, which keeps the records of forwarded requests. */
  readonly probes?: ReferenceGateway['probes'];
}

export interface ModelClaims {
  readonly id: string;
  readonly protocols: readonly string[];
  readonly supports: readonly string[];
  readonly lacks: readonly string[];
  readonly permitted?: readonly string[];
  readonly deterministic: boolean;
}

/** A model by what its documentation says of it. */
export const claims = (
  id: string,
  protocols: readonly string[],
  supports: readonly string[],
  lacks: readonly string[] = [],
  deterministic = true,
): ModelClaims => ({ id, protocols, supports, lacks, deterministic });

/** The publishers' names, as these gateways have them in their header names. */
export const publishers = { vendorA: 'anthropic', vendorB: 'goog' };
