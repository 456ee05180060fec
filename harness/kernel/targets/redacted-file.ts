import { stringify } from 'yaml';
import { declaredAs } from '../core/index.ts';
import { keyVariable } from '../wire/index.ts';
import type { Limits, Model, ProtocolPlaces, Providers, Target, Tls } from './target.ts';
import type { TargetFile, TlsEntry } from './target-file.ts';
import { capabilitiesInFile } from './vocabulary.ts';

/** A target file that describes a target with all defaults, and with environment variables instead of keys. */
export function redactedTargetFile(target: Target): string {
  const {
    systemone,
    probes,
    probeHeaders,
    models,
    keys,
    regions,
    headers,
    protocols,
    tls,
    limits,
    providers,
    variables: _,
    proxies: __,
    ...rest
  } = target;
  const { dialect, body } = systemone;
  const file: TargetFile = {
    ...rest,
    regions: regions.map(({ tls: own, ...region }) => ({
      ...region,
      ...(own === undefined ? {} : { tls: tlsInFile(own) }),
      ...(region.protocols === undefined ? {} : { protocols: placesInFile(region.protocols) }),
    })),
    limits: limitsInFile(limits),
    ...(isEmpty(headers) ? {} : { headers }),
    ...(isEmpty(protocols) ? {} : { protocols: placesInFile(protocols) }),
    ...(tls === undefined ? {} : { tls: tlsInFile(tls) }),
    systemone: { dialect, ...(body === null ? {} : { body }) },
    keys: keys.owner === undefined ? 'none' : Object.fromEntries(Object.keys(keys).map(named)),
    models: models.map(entryOf),
    ...(providers === undefined ? {} : { providers: providersInFile(providers) }),
    probes: {
      ...(isEmpty(probeHeaders) ? {} : { headers: probeHeaders }),
      ...(probes.ledger.length === 0 ? {} : { ledger: { url: probes.ledger } }),
      ...(probes.clock.length === 0 ? {} : { clock: { url: probes.clock } }),
    },
  };
  const head =
    '# What was judged. Keys and other secrets belong in the variables that stand in their places.\n';
  return head + stringify(file, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Omits the rates that grow: a rate in a target file does not. */
function limitsInFile(limits: Limits): NonNullable<TargetFile['limits']> {
  const { mostRequestsPerSecond, mostHostilePerSecond, ...all } = limits;
  const { requestsPerSecond, hostilePerSecond, ...others } = all;
  return {
    ...others,
    ...(mostRequestsPerSecond === undefined ? { requestsPerSecond } : {}),
    ...(mostHostilePerSecond === undefined ? { hostilePerSecond } : {}),
  };
}

function tlsInFile({ ca, certificate, key, passphrase }: Tls): TlsEntry {
  return {
    ...(ca === undefined ? {} : { ca: ca.path }),
    ...(certificate === undefined ? {} : { certificate: certificate.path }),
    ...(key === undefined ? {} : { key: key.path }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function providersInFile({
  keys,
  routes,
  ...rest
}: Providers): NonNullable<TargetFile['providers']> {
  return {
    ...rest,
    keys: Object.fromEntries(
      Object.entries(keys).map(([name, key]) => [
        name,
        key === 'client' ? key : inPlaceOf(`provider-${name}`),
      ]),
    ),
    routes: routes.map((route) => ({ ...route, asks: declaredAs[route.asks] })),
  };
}

function isEmpty(map: object): boolean {
  return Object.keys(map).length === 0;
}

function placesInFile(places: ProtocolPlaces): NonNullable<TargetFile['protocols']> {
  return Object.fromEntries(
    Object.entries(places).map(([name, place]) => [
      Object.entries(declaredAs).find(([protocol]) => protocol === name)?.[1] ?? name,
      place,
    ]),
  );
}

function named(key: string): [string, string] {
  return [key, inPlaceOf(key)];
}

/** The variable of the key, as in the command lines of reports. */
function inPlaceOf(key: string): string {
  return `\${${keyVariable(key)}}`;
}

function entryOf({ id, protocols, supports, lacks, permitted, regions, deterministic }: Model) {
  return {
    id,
    protocols: protocols.map((protocol) => declaredAs[protocol]),
    supports: capabilitiesInFile(supports, protocols),
    lacks: capabilitiesInFile(lacks, protocols),
    ...(permitted === null ? {} : { permitted }),
    ...(regions === undefined ? {} : { regions }),
    deterministic,
  };
}
