import type { Capability } from '../core/capability.ts';
import type { Model, Target } from './target.ts';
import type { ModelEntry, TargetFile } from './target-file.ts';
import { isFamily, type Publishers, readCapability, readProtocol } from './vocabulary.ts';

/** Fills in what a target file leaves out. The file has been judged: every identifier in it is known. */
export function withDefaults(file: TargetFile, fallbackName: string): Target {
  const names = {
    vendorA: file.names?.vendorA ?? 'vendorA',
    vendorB: file.names?.vendorB ?? 'vendorB',
  };
  const body = file.systemone?.body ?? null;
  const isNear = file.regions.every(({ baseUrl }) => isLoopback(baseUrl));
  return {
    name: file.name ?? fallbackName,
    regions: file.regions.map(({ name, baseUrl }) => ({
      name,
      baseUrl: baseUrl.replace(/\/+$/, ''),
    })),
    singleRegion: file.singleRegion ?? false,
    names,
    versionDate: file.versionDate ?? '2023-06-01',
    credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer', ...file.credentials },
    acceptsAlso: { responses: [], messages: [], generative: [], ...file.acceptsAlso },
    retentionDays: file.retentionDays ?? 30,
    thorough: file.thorough ?? false,
    systemone: {
      dialect: file.systemone?.dialect ?? (body === null ? 'public' : 'custom'),
      body,
    },
    keys: file.keys,
    models: file.models.map((entry) => modelOf(entry, names)),
    probes: {
      ledger: [file.probes?.ledger?.url ?? []].flat(),
      clock: [file.probes?.clock?.url ?? []].flat(),
    },
    limits: {
      concurrency: 8,
      requestsPerSecond: isNear ? null : 20,
      hostilePerSecond: isNear ? null : 5,
      timeoutMs: 60_000,
      maxOutputTokens: 16,
      longRunTokens: 1_536,
      patienceMs: 30_000,
      consistencyMs: 2_000,
      ...file.limits,
    },
  };
}

/** Whether an address is of this very machine, where nobody else is disturbed. */
function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function modelOf(entry: ModelEntry, names: Publishers): Model {
  const protocols = entry.protocols.flatMap((identifier) => readProtocol(identifier, names) ?? []);
  const read = (identifiers: readonly string[] = []): Capability[] =>
    identifiers.flatMap((identifier) => readCapability(identifier, names, protocols) ?? []);
  // What is said of one protocol wins over what is said of all.
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
