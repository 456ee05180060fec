import { type Capability, flagsIn } from '../core/index.ts';
import { isLoopbackHost, type Variables } from '../wire/index.ts';
import { showable } from './header-rules.ts';
import {
  type Model,
  type PlayedProtocol,
  type ProtocolPlaces,
  type Providers,
  playedProtocols,
  type Target,
  type Tls,
} from './target.ts';
import type { ModelEntry, TargetFile, TlsEntry } from './target-file.ts';
import { isFamily, type Publishers, readCapability, readProtocol } from './vocabulary.ts';

/** Rates at which a run begins to send to a gateway on another machine, and those up to which they grow. */
const farRates = { requestsPerSecond: 20, hostilePerSecond: 5 };
const mostRequestsPerSecond = 160;
const mostHostilePerSecond = 80;

/** Fills in the defaults of a target file. The file must be valid: every identifier in it is known. */
export function withDefaults(
  file: TargetFile,
  fallbackName: string,
  variables: Variables = {},
): Target {
  const names = {
    vendorA: file.names?.vendorA ?? 'vendorA',
    vendorB: file.names?.vendorB ?? 'vendorB',
  };
  const body = file.systemone?.body ?? null;
  const known = { ...variables };
  const isNear = file.regions.every(({ baseUrl }) => isLoopback(baseUrl));
  return {
    name: file.name ?? fallbackName,
    regions: file.regions.map(({ name, baseUrl, headers, protocols, tls }) => ({
      name,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      ...(headers === undefined ? {} : { headers: showable(headers, known) }),
      ...(protocols === undefined ? {} : { protocols: placesOf(protocols, names, known) }),
      ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    })),
    headers: showable(file.headers ?? {}, known),
    protocols: placesOf(file.protocols ?? {}, names, known),
    ...(file.tls === undefined ? {} : { tls: tlsOf(file.tls) }),
    ...(file.profiles === undefined ? {} : { profiles: file.profiles }),
    ...flagsIn(file),
    identity: file.identity ?? 'ordinary',
    names,
    versionDate: file.versionDate ?? '2023-06-01',
    credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer', ...file.credentials },
    acceptsAlso: { responses: [], messages: [], generative: [], ...file.acceptsAlso },
    ...(file.alsoServes === undefined ? {} : { alsoServes: file.alsoServes }),
    retentionDays: file.retentionDays ?? 30,
    thorough: file.thorough ?? false,
    systemone: { dialect: file.systemone?.dialect ?? (body === null ? 'public' : 'custom'), body },
    keys: file.keys === 'none' ? {} : file.keys,
    models: file.models.map((entry) => modelOf(entry, names)),
    probes: {
      ledger: [file.probes?.ledger?.url ?? []].flat(),
      clock: [file.probes?.clock?.url ?? []].flat(),
    },
    ...(file.providers === undefined ? {} : { providers: providersOf(file.providers, names) }),
    ...(file.gateway === undefined ? {} : { gateway: file.gateway }),
    probeHeaders: showable(file.probes?.headers ?? {}, known),
    variables: known,
    limits: {
      concurrency: 8,
      ...(isNear ? { requestsPerSecond: null, hostilePerSecond: null } : farRates),
      timeoutMs: 60_000,
      maxOutputTokens: 16,
      longRunTokens: 1_536,
      patienceMs: 30_000,
      consistencyMs: 2_000,
      ...file.limits,
      ...(isNear || file.limits?.requestsPerSecond !== undefined ? {} : { mostRequestsPerSecond }),
      ...(isNear || file.limits?.hostilePerSecond !== undefined ? {} : { mostHostilePerSecond }),
    },
  };
}

function providersOf(
  { routes, ...rest }: NonNullable<TargetFile['providers']>,
  names: Publishers,
): Providers {
  return {
    ...rest,
    routes: routes.flatMap(({ asks, ...route }) => {
      const protocol = readPlayed(asks, names);
      return protocol === null ? [] : [{ ...route, asks: protocol }];
    }),
  };
}

/** Reads the identifier of a protocol in which Touchstone plays a provider. Null for any other. */
export function readPlayed(identifier: string, names: Publishers): PlayedProtocol | null {
  const protocol = readProtocol(identifier, names);
  return playedProtocols.find((one) => one === protocol) ?? null;
}

function placesOf(
  given: NonNullable<TargetFile['protocols']>,
  names: Publishers,
  variables: Record<string, string>,
): ProtocolPlaces {
  return Object.fromEntries(
    Object.entries(given).map(([identifier, { baseUrl, headers }]) => [
      readProtocol(identifier, names) ?? identifier,
      {
        ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, '') }),
        ...(headers === undefined ? {} : { headers: showable(headers, variables) }),
      },
    ]),
  );
}

/** Takes the paths only. `withTlsFiles` reads the files, because it knows their folder. */
function tlsOf({ ca, certificate, key, passphrase }: TlsEntry): Tls {
  return {
    ...(ca === undefined ? {} : { ca: { path: ca, pem: '' } }),
    ...(certificate === undefined ? {} : { certificate: { path: certificate, pem: '' } }),
    ...(key === undefined ? {} : { key: { path: key, pem: '' } }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

/** True if an address is on this machine, so that a run disturbs no other user. */
export function isLoopback(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return isLoopbackHost(hostname.replace(/^\[|\]$/g, ''));
}

function modelOf(entry: ModelEntry, names: Publishers): Model {
  const protocols = entry.protocols.flatMap((identifier) => readProtocol(identifier, names) ?? []);
  const read = (identifiers: readonly string[] = []): Capability[] =>
    identifiers.flatMap((identifier) => readCapability(identifier, names, protocols) ?? []);
  // A statement about one protocol overrides one about all.
  const particular = (identifiers: readonly string[] = []): Capability[] =>
    read(identifiers.filter((identifier) => !isFamily(identifier)));
  const supported = new Set(particular(entry.supports));
  const lacking = new Set(particular(entry.lacks));
  return {
    id: entry.id,
    protocols,
    supports: [...new Set(read(entry.supports))].filter((name) => !lacking.has(name)),
    lacks: [...new Set(read(entry.lacks))].filter((name) => !supported.has(name)),
    permitted: entry.permitted ?? null,
    ...(entry.regions === undefined ? {} : { regions: entry.regions }),
    deterministic: entry.deterministic ?? false,
  };
}
