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

/** Sends single requests to a target, outside of any run: to look at it, not to judge it. */
export type Ask = (call: Call, options?: CallOptions) => Promise<Exchange>;

/** Sends one turn over a WebSocket, with this frame. */
export type AskOverSocket = (call: Call, frame: Fields) => Promise<Exchange>;

/** Each request is sent once. */
export function asker(target: Target, stop: AbortSignal): Ask {
  const { wire, requestOf } = lineTo(target, stop);
  return (call, options = {}) => send(requestOf(call, options), wire);
}

/** Each connection is opened once, and closed after a turn. */
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

/** The JSON of an answer; undefined when there is none. */
export function jsonOf({ response }: Exchange): unknown {
  return response === null ? undefined : parsed(Buffer.from(response.body).toString('utf8'));
}

/** True if a request was served: answered 2xx with a JSON object. */
export function isServed(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return status >= 200 && status < 300 && isObject(jsonOf(exchange));
}

/** `answered 404 (The model does not exist)`, or why nothing came. */
export function answerOf(exchange: Exchange): string {
  const { response, failure } = exchange;
  if (response === null) return `did not respond (${failure?.message ?? 'no answer'})`;
  const message = errorMessage(jsonOf(exchange));
  return `answered ${response.status}${message === null ? '' : ` (${message})`}`;
}

/** Returns the message of an error body, in any of the protocols' shapes. */
export function errorMessage(body: unknown): string | null {
  return (
    textAt(body, 'error.message') ??
    textAt(body, 'detail.message') ??
    textAt(body, 'detail[0].msg') ??
    textAt(body, 'detail') ??
    textAt(body, 'message')
  );
}

/** A model of the generative-content catalog. */
interface CatalogModel {
  readonly id: string;
  /** Methods of the model; empty if the catalog does not say. */
  readonly methods: readonly unknown[];
}

/** The generative-content catalog, as far as its pages could be read. */
export interface Catalog {
  readonly models: readonly CatalogModel[];
  /** True if its end was seen: otherwise a model that it does not name may still be in it. */
  readonly complete: boolean;
}

/** The ids in `GET /v1/models`; null when there is no such list. */
export async function listedModels(ask: Ask, options?: CallOptions): Promise<string[] | null> {
  const exchange = await ask(listCall(), options);
  // An answer of another form is no list.
  if (!isServed(exchange) || !Array.isArray(at(jsonOf(exchange), 'data'))) return null;
  return listAt(jsonOf(exchange), 'data').flatMap((entry) => textAt(entry, 'id') ?? []);
}

/** Number of pages after which a catalog is taken to be endless. */
const mostPages = 50;

/** `GET /v1beta/models`, all pages; null when there is no such catalog. */
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
