import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { authenticate } from './admission.ts';
import { asRefusal, errorAnswer, statusOf, writeAnswer, writeRefusal } from './answer.ts';
import type { Call, Dialect, Gateway, Route, Seams } from './call.ts';
import { oneSegment, openToPages } from './client-forms.ts';
import { randomDigits } from './ids.ts';
import { Choosing, type Named } from './mock/choosing.ts';
import { hint } from './mock/hint.ts';
import { note } from './mock/note.ts';
import { foreign } from './own-host.ts';
import { answerProbe } from './probes.ts';
import { Refusal } from './refusal.ts';
import { readJsonBody } from './request-body.ts';
import { secureFront } from './secure-front.ts';
import type { ServedGateway } from './served-gateway.ts';

export interface RegionServer {
  readonly server: Listener;
  close(): Promise<void>;
}

export interface Attend {
  /** Called for each request. If it returns a promise, the request is handled after the promise resolves. */
  request(request: IncomingMessage, out: ServerResponse, region: string): Promise<void> | void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, region: string): void;
  /** Called before any data arrives on the connection. */
  connection?(socket: Socket, region: string): void;
}

interface Face {
  readonly gateway: Gateway;
  readonly served: readonly { readonly dialect: Dialect; readonly endpoints: readonly Route[] }[];
  /** Cache of targets by path, for paths without parameters. */
  readonly known: Map<string, Target>;
}

/** Limit of the cache: a fault may treat any path as one without parameters. */
const mostKnown = 100;

type Growing = { -readonly [Member in keyof Call]: Call[Member] };

interface Faced {
  readonly face: Face;
  /** Refusal of the faults or variants that the request asks for; null if they are available. */
  readonly problem: Refusal | null;
  readonly ids: readonly string[];
}

/** Target of a request. */
interface Target {
  readonly dialect: Dialect;
  /** Undefined when no endpoint has this path and method. */
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Methods of the endpoints that have this path. */
  readonly methods: readonly string[];
}

/**
 * Creates the listener of one region.
 *
 * @param dialects the first one refuses paths that no dialect owns
 * @param pathPrefix string, or pattern matched at the start of a path, below which everything is served; empty for none
 * @param attend observes each request and each upgrade
 * @param isSecure TLS, with HTTP/2 for clients that support it
 */
export function createRegionServer(
  gateway: ServedGateway,
  dialects: readonly [Dialect, ...Dialect[]],
  pathPrefix: string | RegExp,
  attend: Attend,
  isSecure: boolean,
): RegionServer {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 10 * 1024 * 1024,
    // The policy decides if a pong is sent.
    autoPong: false,
  });

  const faces = new WeakMap<Seams, Face>();

  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 60_000 });
  server.on('request', (request, out) => {
    // Bytes written to a client that has gone are lost. This is not an error.
    out.on('error', () => out.destroy());
    const attended = attend.request(request, out, gateway.region);
    serve(request, out, attended).catch((error) => {
      console.error('The reference gateway is broken:', error);
      out.destroy();
    });
  });
  server.on('connection', (socket) => attend.connection?.(socket, gateway.region));
  server.on('upgrade', (request, socket, head) => {
    attend.upgrade(request, socket, head, gateway.region);
    void upgrade(request, socket, head);
  });

  async function serve(
    request: IncomingMessage,
    out: ServerResponse,
    attended: Promise<void> | void,
  ): Promise<void> {
    if (attended !== undefined) await attended;
    const { prefix, path, query, names } = locate(request, pathPrefix, gateway.choosing);
    if (gateway.isMock && isOfApi(path) && openToPages(request, out)) return;
    if (path?.startsWith('/_touchstone/')) {
      const why = foreign(request, gateway.hosts);
      if (why !== null) {
        out.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
        out.end(JSON.stringify({ error: { message: why } }));
        return;
      }
      const { status, body } = await answerProbe(request, path, query, gateway);
      const isText = typeof body === 'string';
      const type = isText ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json';
      out.writeHead(status, { 'content-type': type }).end(isText ? body : JSON.stringify(body));
      return;
    }
    const { face, problem, ids } = names.length === 0 ? plain() : await faceFor(names);
    const target = path === undefined ? nowhere() : find(path, request.method ?? '', face);
    const call = callOf(request, { prefix, path: path ?? '', query }, target, face, ids);
    const { journal } = gateway;
    const noted = journal?.begin(call, out);
    try {
      if (problem !== null) throw problem;
      if (gateway.latencyMs > 0) await sleep(gateway.latencyMs);
      const { route } = target;
      if (route === undefined)
        throw unknownEndpoint(target, call, hint(gateway, meant(call, face)));
      const key = authenticate(call);
      call.key = key;
      if (route.body === 'json') call.body = await readJsonBody(request, call);
      if (noted !== undefined) journal?.read(noted);
      await writeAnswer(await route.handle(call, key), call, out);
    } catch (error) {
      // A client that disconnected while sending needs no answer.
      if (request.destroyed && !request.complete) {
        recordHalfRequest(call);
        return;
      }
      if (out.headersSent) throw error;
      await writeRefusal(asRefusal(error), call, out);
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const { prefix, path, query, names } = locate(request, pathPrefix, gateway.choosing);
    const { face, problem, ids } = names.length === 0 ? plain() : await faceFor(names);
    const target = path === undefined ? nowhere() : find(path, request.method ?? '', face);
    let call = callOf(request, { prefix, path: path ?? '', query }, target, face, ids);
    try {
      if (problem !== null) throw problem;
      const { dialect } = target;
      const accepted = dialect.upgrade;
      if (path === undefined || accepted === undefined || !accepted.path.test(path)) {
        throw new Refusal('unknown-path', 'There is no WebSocket endpoint at this path.');
      }
      call = { ...call, operation: accepted.operation };
      const key = authenticate(call);
      call = { ...call, key };
      sockets.handleUpgrade(request, socket, head, (opened: WebSocket) =>
        accepted.connect(opened, call, key),
      );
    } catch (error) {
      const refusal = asRefusal(error);
      const noted = gateway.journal?.begin(call, null);
      if (noted !== undefined) gateway.journal?.end(noted, statusOf(refusal, call), false);
      refuseUpgrade(refusal, call, socket);
    }
  }

  function faceOf(seen: Gateway): Face {
    const endpoints = dialects.map((dialect) => ({
      dialect,
      endpoints: seen.seams.endpoints.routes(dialect),
    }));
    return { gateway: seen, served: endpoints, known: new Map() };
  }

  /** Returns the gateway with these seams, which may differ for the next request. */
  function faceWith(seams: Seams): Face {
    const known = faces.get(seams);
    if (known !== undefined) return known;
    const face = faceOf({ ...gateway, seams });
    faces.set(seams, face);
    return face;
  }

  function plain(): Faced {
    return { face: faceWith(gateway.seams), problem: null, ids: [] };
  }

  /** Returns the gateway for one request, with the faults that it selects. */
  async function faceFor(names: readonly Named[]): Promise<Faced> {
    const { choosing } = gateway;
    if (choosing === null) return plain();
    try {
      const { seams, ids } = await choosing.choose(names, gateway.region);
      return { face: faceWith(seams), problem: null, ids };
    } catch (error) {
      return { ...plain(), problem: asRefusal(error) };
    }
  }

  function find(asked: string, method: string, { served, known }: Face): Target {
    const before = known.get(asked);
    if (before?.route?.method === method) return before;
    const path = gateway.isMock ? oneSegment(asked) : asked;
    const methods: string[] = [];
    for (const { dialect, endpoints } of served) {
      for (const route of endpoints) {
        const match = route.path.exec(path);
        if (match === null) continue;
        if (route.method === method) {
          const target = { dialect, route, params: decoded(match.groups), methods: [] };
          if (match.groups === undefined && path === asked && known.size < mostKnown) {
            known.set(path, target);
          }
          return target;
        }
        methods.push(route.method);
      }
    }
    return { dialect: ownerOf(path), route: undefined, params: {}, methods };
  }

  /** Names the endpoint that the client probably meant, if its base URL ends at the wrong place. */
  function meant({ path, method }: Call, face: Face): string {
    const isTwice = /^\/v1\/v1(?:beta)?\//.test(path);
    const other = isTwice ? path.slice('/v1'.length) : `/v1${path}`;
    if (find(other, method, face).route === undefined) return '';
    const base = isTwice ? 'ends before /v1' : 'ends with /v1';
    return `There is ${method} ${other.slice(0, 200)}: the base URL of this client ${base}.`;
  }

  function ownerOf(path: string): Dialect {
    return dialects.find((dialect) => dialect.owns(path)) ?? dialects[0];
  }

  function nowhere(): Target {
    return { dialect: dialects[0], route: undefined, params: {}, methods: [] };
  }

  function callOf(
    request: IncomingMessage,
    { prefix, path, query }: Pick<Call, 'prefix' | 'path' | 'query'>,
    { dialect, route, params }: Target,
    face: Face,
    ids: readonly string[],
  ): Growing {
    const clientRequestId = request.headers['x-client-request-id'];
    return {
      gateway: face.gateway,
      dialect,
      operation: route?.operation(params, query) ?? 'none',
      method: request.method ?? '',
      prefix,
      path,
      params,
      query,
      headers: request.headers,
      isHttp2: request.httpVersionMajor === 2,
      earlierOnConnection: earlierOn(request.socket),
      requestId: `req_${randomDigits()}`,
      clientRequestId: typeof clientRequestId === 'string' ? clientRequestId : null,
      key: null,
      body: {},
      note: note(ids),
    };
  }

  const front = isSecure ? secureFront(server) : null;
  return {
    server: front?.server ?? server,
    close: async () => {
      // First, so that a client that sees its connection break finds no listener any more.
      const closed = front === null ? closing(server) : front.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** True for paths of the interface, the only ones open to web pages. */
function isOfApi(path: string | undefined): boolean {
  return path !== undefined && /^\/v1(?:beta)?\//.test(path);
}

const requestsOn = new WeakMap<object, number>();

/** Returns the number of earlier requests on a connection, and counts this one. */
function earlierOn(socket: object): number {
  const earlier = requestsOn.get(socket) ?? 0;
  requestsOn.set(socket, earlier + 1);
  return earlier;
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

const noNames: readonly Named[] = [];
const noQuery = new URLSearchParams();

/**
 * Returns the path below the prefix, and the query. The path is undefined if it is not below the prefix. Defects
 * selected before the path belong to the prefix.
 */
function locate(
  request: IncomingMessage,
  base: string | RegExp,
  choosing: Choosing | null,
): {
  readonly prefix: string;
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly names: readonly Named[];
} {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const whole = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? noQuery : new URLSearchParams(url.slice(mark + 1));
  const prefix = typeof base === 'string' ? base : (base.exec(whole)?.[0] ?? '');
  const path = whole.startsWith(`${prefix}/`) ? whole.slice(prefix.length) : undefined;
  if (choosing === null || path === undefined) return { prefix, path, query, names: noNames };
  const asked = Choosing.prefixOf(path);
  const below = path.slice(asked.length);
  const names = below.startsWith('/_touchstone/')
    ? noNames
    : choosing.namesFor(request.headers, asked);
  return { prefix: prefix + asked, path: below, query, names };
}

function decoded(groups: Record<string, string> | undefined): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups ?? {})) {
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}

function unknownEndpoint({ methods }: Target, { method, path }: Call, next: string): Refusal {
  if (methods.length === 0) {
    return new Refusal(
      'unknown-path',
      `Unknown request URL: ${method} ${path.slice(0, 200)}.${next}`,
    );
  }
  const allow = [...new Set(methods)].join(', ');
  return new Refusal('wrong-method', `${method} is not allowed here; allowed: ${allow}.`, null, {
    allow,
  });
}

/** Refuses an upgrade on the bare socket, because Node has no `ServerResponse` yet. */
function refuseUpgrade(refusal: Refusal, call: Call, socket: Duplex): void {
  const { encode, transport } = call.gateway.seams;
  const answer = errorAnswer(refusal, call);
  const context = { call, record: null, refusal };
  const body = JSON.stringify(encode.body(answer.kind, answer.body, context));
  const status = encode.status(answer.kind, answer.status, context);
  const headers = encode.headers(
    answer.kind,
    {
      'content-type': 'application/json',
      connection: 'close',
      [call.dialect.requestIdHeader]: call.requestId,
    },
    context,
  );
  transport.refuseUpgrade(socket, { status, headers }, body);
}

/** Records an incomplete request if the policy says so. The default records nothing, because its purpose is unknown. */
function recordHalfRequest(call: Call): void {
  const { ledger, seams } = call.gateway;
  if (!seams.policy.recordsHalfRequest(call)) return;
  ledger.open(call, { operation: 'generation', model: '', inputTokens: 1, status: 'failed' });
}
