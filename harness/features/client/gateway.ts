import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Exchange,
  type ExchangeId,
  exchangeId,
  parsed,
  sameId,
} from '../../kernel/core/index.ts';
import { operationOf } from '../../kernel/protocols/index.ts';
import type { Secrets } from '../../kernel/redaction/index.ts';
import {
  type Clock,
  type ReceivedOptions,
  received,
  receivedUpgrade,
} from '../../kernel/wire/index.ts';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import {
  type ClientSession,
  type ClientStart,
  otherHost,
  unknownOperation,
} from '../sessions/index.ts';
import { oddEnd, scripted } from './scripted.ts';
import { type Stage, secretLength } from './stage.ts';
import { StagesByAddress, StagesByContent } from './stages.ts';

/** A gateway that clients under test call. Each start of a client has its own stage. */
export interface ScriptedGateway {
  readonly regions: ReferenceGateway['regions'];
  /**
   * Creates a stage.
   *
   * @param id id of the session. The ids of its exchanges add the numbers of their requests
   * @param from number of its first request. Default: 0
   */
  stage(id: ExchangeId, word: string, start: ClientStart, from?: number): Promise<Stage>;
  /** Forgets a stage: later requests of it belong to no stage. */
  forget(stage: Stage): void;
  /** Returns what was seen of a session so far. */
  seenOf(id: ExchangeId): Pick<ClientSession, 'exchanges' | 'met' | 'connections'>;
  /**
   * Waits for requests of processes that the last starts have left behind. Later ones are dropped.
   *
   * @param since time of the run at which the last of these starts ended
   */
  settled(since: number, stop: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The only address at which a gateway reaches it as its provider. */
export interface BackSide {
  readonly host: string;
  /** Port to listen on, or 0 for any. */
  readonly port: number;
  /** Key that the gateway under test is given for all its requests. */
  readonly secret: string;
  /** Listed model. Any other model is accepted, too. */
  readonly model: string;
  /** The model of the front. A `*` in it is replaced by a name that is unique to each stage. */
  readonly frontModel: string;
  /** Further secrets to mask in a request: the key of the front. */
  readonly hidden: Secrets;
}

/** Milliseconds for the requests of processes that outlive the last starts. */
const lateMs = 2_000;
const lookMs = 25;

/** Number of requests of one start that are answered. Others lose their connection. */
const mostRequests = 500;
/** Bytes of the largest request body, and of all that a run keeps; each may have the least, whatever was kept. */
const bodyBytes = { most: 2 * 1024 * 1024, least: 256 * 1024, together: 64 * 1024 * 1024 };

/**
 * Starts the gateway.
 *
 * @param onExchange called with each exchange when it has ended
 * @param holdMs duration of the silence that some scripts require, in milliseconds
 */
export async function startScriptedGateway(
  clock: Clock,
  onExchange: (exchange: Exchange) => void,
  holdMs = 5_000,
  back: BackSide | null = null,
): Promise<ScriptedGateway> {
  const stages = back === null ? new StagesByAddress() : new StagesByContent();
  const ports: Awaited<ReturnType<typeof ownPort>>[] = [];
  let isSettled = false;
  let strayRequests = 0;
  let keptBytes = 0;
  const closing = new AbortController();
  // Every delayed answer listens to the signal. That is no leak.
  setMaxListeners(0, closing.signal);

  function attending(request: IncomingMessage, region: string, upgrade: boolean) {
    const { url = '', headers, method = '' } = request;
    let stage: Stage | null = null;
    let number = 0;
    const take = (found: Stage | null): void => {
      if (found === null || stage !== null) return;
      if (found.requests === mostRequests) {
        request.destroy();
        return;
      }
      stage = found;
      number = found.requests++;
      found.open++;
      found.lastAt = clock.now();
      stages.take(request, found);
    };
    take(stages.byHead(request));
    const { path, query } = located(url);
    const askedFor = (body?: unknown) => {
      const asked = { method, url: { pathname: path, searchParams: query }, body };
      return operationOf({ ...asked, upgrades: upgrade }, origin) ?? unknown;
    };
    const origin = `http://${headers.host ?? '127.0.0.1'}`;
    const { operation, protocol } = askedFor();
    const options: ReceivedOptions = {
      // The stage of a request may be known only once the whole request has arrived.
      get id() {
        return { ...(stage?.id ?? stray), request: number };
      },
      get about() {
        const key = stage === null ? 'unknown' : 'owner';
        return { operation, protocol, region, key } as const;
      },
      get secrets() {
        return { ...secretsIn(request, stage), ...back?.hidden };
      },
      origin,
      clock,
      maxBodyBytes: Math.max(
        bodyBytes.least,
        Math.min(bodyBytes.most, (bodyBytes.together - keptBytes) / 8),
      ),
    };
    const ended = (exchange: Exchange): void => {
      if (isSettled) return;
      const body = exchange.request.body === null ? null : parsed(bodyText(exchange));
      const whole = { ...exchange, about: { ...exchange.about, ...askedFor(body) } };
      if (stage !== null) {
        stage.exchanges.push(whole);
        keptBytes += exchange.request.body?.length ?? 0;
        stage.open--;
        stage.lastAt = clock.now();
      }
      onExchange(whole);
    };
    const came = (body: Uint8Array): void => {
      take(stages.byContent(request, body));
      if (stage === null) number = strayRequests++;
    };
    return { options, came, ended };
  }

  const gateway = await startReference({
    // The last region is given to no client: only requests that follow a redirect arrive there.
    regions: back === null ? ['eu', 'us', otherHost] : ['back', otherHost],
    ...(back === null ? {} : { host: back.host, ports: [back.port, 0] }),
    prefixes: back === null ? /^\/s\/[^/?]+/ : /^(\/s\/[^/?]+)?/,
    attend: {
      async request(request, out, region) {
        const { options, came, ended } = attending(request, region, false);
        // If only a connection can be refused, each request needs a connection of its own.
        if (back !== null) out.shouldKeepAlive = false;
        const receiving = received(request, out, options);
        receiving.ended.then(ended);
        // A request that is refused at once would not be read to its end.
        await receiving.wholeRequest;
        came(receiving.body);
      },
      connection(socket) {
        const stage = stages.refusing();
        if (stage === null) return;
        stage.met = true;
        stage.lastAt = clock.now();
        socket.resetAndDestroy();
      },
      upgrade(request, socket, head, region) {
        const { options, came, ended } = attending(request, region, true);
        came(head);
        receivedUpgrade(request, socket, head, options).then(ended);
      },
    },
    defect: scripted({
      stageOf: (call) => stages.of(call),
      anyModel: back?.model ?? null,
      made: (id, call) => stages.made(id, call),
      elsewhere: ({ token }) => {
        const other = gateway.regions.find(({ name }) => name === otherHost);
        const { port } = new URL(other?.baseUrl ?? 'http://127.0.0.1');
        return `http://localhost:${port}/s/${token}`;
      },
      holdMs,
      closing: closing.signal,
    }),
  });
  const told = gateway.regions.filter(({ name }) => name !== otherHost);
  const modelOf = (own: string): string => back?.frontModel.replace('*', own) ?? own;

  return {
    regions: told,
    async stage(
      id,
      word,
      { task = 'generate', script = {}, at = 0, madeAt = at, counted = false },
      from = 0,
    ) {
      const token = randomBytes(8).toString('hex');
      const refuses = script.answer?.kind === 'refused';
      const port =
        (refuses || counted) && back === null
          ? await ownPort(told, refuses, () => connected(refuses))
          : null;
      const stage: Stage = {
        id,
        token,
        script,
        secret: back?.secret ?? newSecret(),
        model: modelOf(script.odd === true ? oddId(token, back === null) : `ts-${token}`),
        word,
        stores: storing.includes(task),
        at,
        madeAt,
        regions: told.map(({ name, baseUrl }) => ({
          name,
          baseUrl: `${port?.address ?? baseUrl}/s/${token}`,
        })),
        exchanges: [],
        requests: from,
        skipped: 0,
        lookups: 0,
        recoveries: 0,
        connections: port === null ? null : 0,
        open: 0,
        lastAt: null,
        met: false,
        isOver: false,
      };
      const connected = (isMet: boolean): void => {
        stage.connections = (stage.connections ?? 0) + 1;
        if (!isMet) return;
        stage.met = true;
        stage.lastAt = clock.now();
      };
      if (port !== null) ports.push(port);
      stages.all.push(stage);
      return stage;
    },
    forget(stage) {
      stages.all.splice(stages.all.indexOf(stage), 1);
    },
    seenOf(id) {
      const stage = stages.all.find((one) => sameId(one.id, id));
      const { exchanges = [], met = false, connections } = stage ?? {};
      return {
        exchanges: exchanges.toSorted((one, other) => one.times.started - other.times.started),
        met,
        ...(connections == null ? {} : { connections }),
      };
    },
    async settled(since, stop) {
      const patience = (): number => lateMs * (stages.all.some(({ open }) => open > 0) ? 2 : 1);
      while (clock.now() - since < patience() && !stop.aborted) await delay(lookMs);
      isSettled = true;
    },
    async close() {
      closing.abort();
      await Promise.all([gateway.close(), ...ports.map((port) => port.close())]);
    },
  };
}

/**
 * Returns an id with characters that a path has to encode.
 *
 * @param isFree true for an id that no gateway under test has to route
 */
function oddId(token: string, isFree: boolean): string {
  // Some clients refuse a model with `?` or `&` in its id, and no provider has one.
  return isFree ? `acme/${token}${oddEnd.replace(/[?&]/g, '')}` : `acme/odd: ${token}`;
}

/** Tasks that store a response. One that continues a response may store the new one, or not. */
const storing = ['store', 'background', 'recover'];

function newSecret(): string {
  return `sk-touchstone-${randomBytes(32).toString('hex')}`.slice(0, secretLength);
}

/** Session of the requests that belong to no stage. */
const stray = exchangeId({ scenario: 'stray' });

const unknown = { operation: unknownOperation, protocol: 'models' } as const;

/** Path below the stage, and query. */
function located(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  const path = (mark === -1 ? url : url.slice(0, mark)).replace(/^\/s\/[^/]+/, '');
  return { path, query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)) };
}

function bodyText({ request }: Exchange): string {
  return Buffer.from(request.body ?? []).toString();
}

/**
 * Returns the secrets to mask in a request: the key that the client was given, and any other key in it. The client
 * may have a real one from elsewhere.
 */
function secretsIn({ rawHeaders }: IncomingMessage, stage: Stage | null): Secrets {
  const shown = rawHeaders.flatMap((name, index) => {
    const isCredential = index % 2 === 0 && /authorization|api-?key|token|cookie/i.test(name);
    const value = (rawHeaders[index + 1] ?? '').replace(/^[A-Za-z]+ +/, '');
    return isCredential && value !== stage?.secret ? [value] : [];
  });
  return {
    ...(stage === null ? {} : { owner: stage.secret }),
    ...Object.fromEntries(shown.map((value, index) => [`foreign${index}`, value])),
  };
}

/** Returns a port that resets every connection, or forwards it to the first region. */
async function ownPort(
  [first]: ReferenceGateway['regions'],
  refuses: boolean,
  connected: () => void,
) {
  const { port } = new URL(first?.baseUrl ?? 'http://127.0.0.1');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    connected();
    if (refuses) {
      socket.resetAndDestroy();
      return;
    }
    const onward = connect(Number(port), '127.0.0.1');
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      onward.destroy();
    });
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
