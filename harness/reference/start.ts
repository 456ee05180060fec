import type { AddressInfo, Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from './call.ts';
import { Database, type DatabaseLimits } from './database.ts';
import { dialects } from './dialects.ts';
import { asServed, fixtureModels, type ServedModel, withModels } from './fixture-models.ts';
import { type FixtureKeys, fixtureKeys, knownKeys } from './keys.ts';
import { Choosing, type ChoosingOptions } from './mock/choosing.ts';
import { Pacer, type Pacing } from './mock/pace.ts';
import {
  type JournalOptions,
  type RequestEntry,
  type RequestFilter,
  RequestJournal,
  wrongFilter,
} from './mock/requests.ts';
import type { Script } from './mock/script.ts';
import { ScriptDoor, type ScriptReader } from './mock/script-door.ts';
import { Player, scripted } from './mock/scripted.ts';
import { hostname } from './own-host.ts';
import { probesAt } from './probes.ts';
import { type Defect, defaultSeams, withDefect } from './seams.ts';
import { ownCertificate } from './secure-front.ts';
import type { ServedGateway } from './served-gateway.ts';
import { type Attend, createRegionServer, type RegionServer } from './server.ts';

export interface ReferenceOptions {
  /** One listener per region, in this process. Default: `eu`, `us`, and those that only the defect names. */
  regions?: readonly string[];
  /** Default `127.0.0.1`. */
  host?: string;
  /** Additional host names of its control endpoints, besides those of this machine and `host`. Default: none. */
  allowHosts?: readonly string[];
  /** One port per region; 0, the default, selects a free one. */
  ports?: readonly number[];
  /** Publishers' names in the header names `<vendorA>-version` and `x-<vendorB>-api-key`. */
  names?: { readonly vendorA: string; readonly vendorB: string };
  /**
   * True if the gateway is for developing clients rather than for judgement. It then also accepts what official clients
   * send beyond the specification: requests of pages from other origins (CORS), a key in another header on Messages and
   * the model lists, slashes in a model id. It writes the stream of a short answer at once. A gateway under judgement
   * writes one piece per turn of the event loop, so that a client can disconnect in the middle. Default: false.
   */
  isMock?: boolean;
  /** Path prefix of everything that is served, such as `/gateway/eu`. Default: none. */
  pathPrefix?: string;
  /** Pattern instead of a single prefix: everything is served below its match at the start of a path. */
  prefixes?: RegExp;
  /** Observes everything that arrives, before it is handled. */
  attend?: Attend;
  /** Milliseconds before the start of every answer, as over a long distance. Default 0. */
  latencyMs?: number;
  /** Milliseconds between two tokens of a background run, or of the stream of a long answer. Default 4. */
  tokenMs?: number;
  /** Pace of a model, which replaces `tokenMs`. A script may set the pace of single answers. */
  pace?: Pacing;
  /** Default 30. */
  retentionDays?: number;
  /** Limits of the stored responses of all regions, and of the financial records of each region. Default: no limit. */
  limits?: DatabaseLimits;
  /** State shared with another node, or kept from an earlier one. Default: empty. */
  database?: Database;
  /** True for a gateway without ledger and clock probes, like most gateways. Default: false. */
  withoutProbes?: boolean;
  /** Ids of models besides those of `fixtures/models.yaml`, with the abilities of the ablest model. */
  models?: readonly string[];
  /** Secrets that replace the fixed ones. */
  keys?: Partial<FixtureKeys>;
  /** True if the gateway speaks TLS, with its own certificate, and offers HTTP/2. Default: as the defect says. */
  isSecure?: boolean;
  defect?: Defect;
  /** Faults and variants that single requests select, or that are drawn for them. Default: none. */
  faults?: ChoosingOptions;
  /** Script of the answers. `useScript` can replace it, even if it is null. Default: the gateway's own answers. */
  script?: Script | null;
  /** Reads scripts that are sent at run time. Default: none can be sent. */
  readScript?: ScriptReader;
  /** Keeps a journal of the requests. Default: none. */
  journal?: JournalOptions;
}

export interface ReferenceGateway {
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  readonly keys: FixtureKeys;
  readonly models: readonly ServedModel[];
  /** One address per region, in the order of `regions`. */
  readonly probes: ReturnType<typeof probesAt>;
  /** True if the probe addresses do not answer. */
  readonly withoutProbes: boolean;
  readonly retentionDays: number;
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** True if the gateway is for developing clients. */
  readonly isMock: boolean;
  /** Certificate that clients have to trust; null without TLS. */
  readonly certificate: string | null;
  /**
   * Returns the matching requests so far, oldest first; empty without a journal.
   *
   * @throws {Error} if the filter cannot match any request
   */
  requests(filter?: RequestFilter): readonly RequestEntry[];
  /** Plays another script from now on, from its start; null restores the gateway's own answers. */
  useScript(script: Script | null): void;
  clearRequests(): void;
  /** Returns the number of HTTP requests and upgrades so far, over all regions. */
  requestCount(): number;
  close(): Promise<void>;
}

/**
 * Starts a gateway that follows the specification, deterministically and in memory. It listens when the promise
 * resolves.
 */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceGateway> {
  const host = options.host ?? '127.0.0.1';
  const keys = { ...fixtureKeys, ...options.keys };
  const pathPrefix = (options.pathPrefix ?? '').replace(/\/+$/, '');
  const { prefixes = pathPrefix, attend } = options;
  const closing = new AbortController();
  const { defect } = options;
  const isSecure = options.isSecure ?? defect?.isSecure === true;
  const names = options.regions ?? [...new Set(['eu', 'us', ...(defect?.regions ?? [])])];
  const player = new Player(options.script ?? null);
  const planted = withDefect(defect);
  const { readScript } = options;
  const isScripted = options.script !== undefined || readScript !== undefined;
  const seams = isScripted ? withDefect(scripted(player), planted) : planted;
  const journal = options.journal === undefined ? null : new RequestJournal(options.journal);
  const everywhere: Gateway[] = [];
  const database = options.database ?? new Database(options.limits);
  const shared = {
    keys: knownKeys(keys),
    models: withModels(fixtureModels(), options.models ?? []),
    store: database.store,
    hosts: new Set([host, ...(options.allowHosts ?? [])].map(hostname)),
    names: options.names ?? { vendorA: 'vendorA', vendorB: 'vendorB' },
    isMock: options.isMock ?? false,
    latencyMs: options.latencyMs ?? 0,
    tokenMs: options.tokenMs ?? 4,
    pacer: new Pacer(options.pace ?? null),
    retentionDays: options.retentionDays ?? 30,
    withoutProbes: options.withoutProbes ?? false,
    choosing: options.faults === undefined ? null : new Choosing(seams, options.faults),
    scriptDoor: readScript === undefined ? null : new ScriptDoor(player, readScript),
    journal,
    entered: ((call, turn, gone) =>
      journal === null ? turn() : journal.during(call, turn, gone)) satisfies Gateway['entered'],
    everywhere,
    closing: closing.signal,
    now: () => Date.now(),
  };
  let requests = 0;
  const listeners: RegionServer[] = [];
  let endedAt: Promise<unknown> | null = null;
  const restart = async (): Promise<void> => {
    const ports = listeners.map(({ server }) => portOf(server));
    await Promise.all(listeners.map((one) => one.close()));
    await delay(restartMs);
    for (const [index, { server }] of listeners.entries()) {
      // Meanwhile another process may have this port for a moment.
      while (!closing.signal.aborted && !(await canListen(server, host, ports[index] ?? 0))) {
        await delay(restartMs);
      }
    }
  };
  const end = (): void => {
    endedAt ??= restart().finally(() => {
      endedAt = null;
    });
  };
  const servers = names.map((region) => {
    const isSound = defect?.regions?.includes(region) === false;
    const gateway: ServedGateway = {
      ...shared,
      // Without a script, a request has no additional cost.
      get seams() {
        if (isSound) return defaultSeams;
        return player.isIdle ? planted : seams;
      },
      region,
      cache: database.cache(region),
      ledger: database.ledger(region),
      end,
    };
    everywhere.push(gateway);
    const seen: Attend = {
      request(...given) {
        requests++;
        return attend?.request(...given);
      },
      upgrade(...given) {
        requests++;
        attend?.upgrade(...given);
      },
      connection: (...given) => attend?.connection?.(...given),
    };
    return createRegionServer(gateway, dialects, prefixes, seen, isSecure);
  });
  listeners.push(...servers);
  const listening = await Promise.allSettled(
    servers.map(({ server }, index) => listen(server, host, options.ports?.[index] ?? 0)),
  );
  const failed = listening.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await Promise.all(servers.map(({ server, close }) => (server.listening ? close() : null)));
    throw failed.reason;
  }
  const regions = servers.map(({ server }, index) => ({
    name: names[index] ?? '',
    baseUrl: baseUrl(host, server.address(), pathPrefix, isSecure),
  }));
  return {
    regions,
    keys,
    models: asServed(shared.models),
    probes: probesAt(regions.map(({ baseUrl }) => baseUrl)),
    withoutProbes: shared.withoutProbes,
    retentionDays: shared.retentionDays,
    names: shared.names,
    isMock: shared.isMock,
    certificate: isSecure ? ownCertificate : null,
    requests(filter = {}) {
      const [first] = everywhere;
      const wrong = first === undefined ? null : wrongFilter(filter, first);
      if (wrong !== null) throw new Error(wrong);
      return journal?.find(filter) ?? [];
    },
    useScript(script) {
      if (!isScripted) throw new Error('Start it with a script, or with `script: null`.');
      player.use(script);
    },
    clearRequests: () => void journal?.clear(),
    requestCount: () => requests,
    async close() {
      closing.abort();
      await endedAt;
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Milliseconds before an ended gateway restarts: long enough for an immediate request to notice. */
const restartMs = 400;

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function canListen(server: Server, host: string, port: number): Promise<boolean> {
  return listen(server, host, port).then(
    () => true,
    () => false,
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = (): void => {
      server.off('error', failed);
      resolve();
    };
    const failed = (error: Error): void => {
      server.off('listening', listening);
      reject(error);
    };
    server.once('listening', listening).once('error', failed).listen(port, host);
  });
}

function baseUrl(
  host: string,
  address: string | AddressInfo | null,
  prefix: string,
  isSecure: boolean,
): string {
  if (address === null || typeof address === 'string') {
    throw new Error(`The reference gateway does not listen on a port of ${host}.`);
  }
  return `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}${prefix}`;
}
