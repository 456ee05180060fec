import { randomUUID } from 'node:crypto';
import { at, type Exchange, exchangeId, isObject, listAt, parsed, textAt } from '../core/index.ts';
import {
  buildRequest,
  type Call,
  type CallOptions,
  catalogCall,
  endsTurn,
  type Fields,
  type KeyName,
  listCall,
  secretsOf,
} from '../protocols/index.ts';
import { routesOf, type Target } from '../targets/index.ts';
import { openSocket, send, startClock } from '../wire/index.ts';

/** Sends single requests to a target outside of a run, to inspect it without judging it. */
export type Ask = (call: Call, options?: CallOptions) => Promise<Exchange>;

/** Sends one turn over a WebSocket, with this frame. */
export type AskOverSocket = (call: Call, frame: Fields) => Promise<Exchange>;

/** Returns a function that sends each request once. */
export function asker(target: Target, stop: AbortSignal): Ask {
  const { wire, requestOf } = lineTo(target, stop);
  return (call, options = {}) => send(requestOf(call, options), wire);
}

/** Returns a function that opens each connection once, and closes it after a turn. */
export function socketAsker(target: Target, stop: AbortSignal): AskOverSocket {
  const { wire, requestOf } = lineTo(target, stop);
  return async (call, frame) => {
    const socket = await openSocket(requestOf(call, {}), wire);
    socket.send(frame);
    await socket.receive(({ json }) => endsTurn(textAt(json, 'type')));
    await socket.close();
    return socket.exchange();
  };
}

function lineTo(target: Target, stop: AbortSignal) {
  const keys: Readonly<Partial<Record<KeyName, string>>> = { ...target.keys };
  const deployment = { ...target, keys };
  const wire = {
    clock: startClock(),
    timeoutMs: Math.min(target.limits.timeoutMs, 30_000),
    routes: routesOf(target),
    secrets: secretsOf(deployment),
    stop,
  };
  let count = 0;
  const requestOf = (call: Call, options: CallOptions) => {
    const ids = {
      id: exchangeId({ scenario: 'free', number: count++ }),
      clientRequestId: randomUUID(),
    };
    return buildRequest(call, options, deployment, ids);
  };
  return { wire, requestOf };
}

/** The JSON of an answer. Undefined if there is none. */
export function jsonOf({ response }: Exchange): unknown {
  return response === null ? undefined : parsed(Buffer.from(response.body).toString('utf8'));
}

/** True if a request was served: answered 2xx with a JSON object. */
export function isServed(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return status >= 200 && status < 300 && isObject(jsonOf(exchange));
}

/** `answered 404 (The model does not exist)`, or why there is no answer. */
export function answerOf(exchange: Exchange): string {
  const { response, failure } = exchange;
  if (response === null) return `did not respond (${failure?.message ?? 'no answer'})`;
  const message = errorMessage(jsonOf(exchange));
  return `answered ${response.status}${message === null ? '' : ` (${message})`}`;
}

export function errorMessage(body: unknown): string | null {
  return (
    textAt(body, 'error.message') ??
    textAt(body, 'detail.message') ??
    textAt(body, 'detail[0].msg') ??
    textAt(body, 'detail') ??
    textAt(body, 'message')
  );
}

interface CatalogModel {
  readonly id: string;
  /** Methods of the model. Empty if the catalog does not list them. */
  readonly methods: readonly unknown[];
}

/** The generative-content catalog, as far as its pages could be read. */
export interface Catalog {
  readonly models: readonly CatalogModel[];
  /** True if the last page was read. Otherwise the catalog may contain further models. */
  readonly complete: boolean;
}

/** The ids in `GET /v1/models`. Null if there is no such list. */
export async function listedModels(ask: Ask, options?: CallOptions): Promise<string[] | null> {
  const exchange = await ask(listCall(), options);
  // An answer of another form is not a list.
  if (!isServed(exchange) || !Array.isArray(at(jsonOf(exchange), 'data'))) return null;
  return listAt(jsonOf(exchange), 'data').flatMap((entry) => textAt(entry, 'id') ?? []);
}

/** Number of pages after which a catalog is considered endless. */
const mostPages = 50;

/** `GET /v1beta/models`, all pages. Null if there is no such catalog. */
export async function catalogModels(ask: Ask, options?: CallOptions): Promise<Catalog | null> {
  const models: CatalogModel[] = [];
  let pageToken: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const exchange = await ask(catalogCall(pageToken === null ? {} : { pageToken }), options);
    if (!isServed(exchange)) return page === 0 ? null : { models, complete: false };
    const body = jsonOf(exchange);
    for (const entry of listAt(body, 'models')) {
      const id = textAt(entry, 'name')?.replace(/^models\//, '');
      if (id === undefined) continue;
      models.push({ id, methods: listAt(entry, 'supportedGenerationMethods') });
    }
    pageToken = textAt(body, 'nextPageToken');
    if (pageToken === null || pageToken === '') return { models, complete: true };
  }
  return { models, complete: false };
}
