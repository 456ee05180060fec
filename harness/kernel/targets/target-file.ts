import type {
  CredentialHeader,
  RequestIdentity,
  RestrictionFlags,
  ShownCredential,
} from '../core/index.ts';
import type { CustomHeaders } from '../wire/index.ts';
import type { DeclaredBehaviour, Keys, ProtocolPlace, ProviderRoute, Providers } from './target.ts';

/** A target file in its written form, valid by `fixtures/target.schema.json`. */
export interface TargetFile extends RestrictionFlags {
  readonly $schema?: string;
  readonly name?: string;
  readonly headers?: CustomHeaders;
  readonly protocols?: Readonly<Record<string, ProtocolPlace>>;
  readonly tls?: TlsEntry;
  readonly regions: readonly RegionEntry[];
  readonly profiles?: readonly string[];
  readonly identity?: RequestIdentity;
  readonly names?: { readonly vendorA?: string; readonly vendorB?: string };
  readonly versionDate?: string;
  readonly credentials?: {
    readonly chat?: string;
    readonly systemone?: string;
    readonly models?: string;
  };
  readonly acceptsAlso?: Readonly<Partial<Record<ShownCredential, readonly CredentialHeader[]>>>;
  readonly alsoServes?: readonly string[];
  readonly retentionDays?: number;
  readonly thorough?: boolean;
  readonly systemone?: {
    readonly dialect?: 'public' | 'custom';
    readonly body?: Readonly<Record<string, unknown>>;
  };
  readonly keys: Keys | 'none';
  readonly models: readonly ModelEntry[];
  readonly probes?: {
    readonly headers?: CustomHeaders;
    readonly ledger?: { readonly url: string | readonly string[] };
    readonly clock?: { readonly url: string | readonly string[] };
  };
  readonly providers?: Omit<Providers, 'routes'> & {
    readonly routes: readonly (Omit<ProviderRoute, 'asks'> & { readonly asks: string })[];
  };
  readonly gateway?: DeclaredBehaviour;
  readonly limits?: {
    readonly concurrency?: number;
    readonly requestsPerSecond?: number | null;
    readonly hostilePerSecond?: number | null;
    readonly timeoutMs?: number;
    readonly maxOutputTokens?: number;
    readonly longRunTokens?: number;
    readonly patienceMs?: number;
    readonly consistencyMs?: number;
  };
}

interface RegionEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers?: CustomHeaders;
  readonly protocols?: Readonly<Record<string, ProtocolPlace>>;
  readonly tls?: TlsEntry;
}

/** Paths of files in PEM format. */
export interface TlsEntry {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** A model in a target file. Its protocols and capabilities are identifiers. */
export interface ModelEntry {
  readonly id: string;
  readonly protocols: readonly string[];
  readonly supports?: readonly string[];
  readonly lacks?: readonly string[];
  readonly permitted?: readonly (keyof Keys)[];
  readonly regions?: readonly string[];
  readonly deterministic?: boolean;
}
