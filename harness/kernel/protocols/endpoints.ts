import {
  at,
  type Capability,
  type EndpointName,
  type Exchange,
  each,
  type Protocol,
  protocolOfEndpoint,
  protocols,
} from '../core/index.ts';
import type { Call } from './call.ts';
import type { Fields } from './defaults.ts';
import type { Baseline } from './module.ts';
import { asksToGenerate, endpointFacts, endpointModules, protocolModules } from './modules.ts';
import { decoded } from './path-segment.ts';
import { recoverCall } from './responses/client.ts';
import type { SchemaId } from './schemas.ts';

export type { EndpointName };

export interface Endpoint {
  readonly name: EndpointName;
  /** By whose rules it answers; `models` is the list of the `/v1` family. */
  readonly protocol: Protocol | 'models';
  /** The shape of its errors over HTTP. */
  readonly errorSchema: SchemaId;
  /** Protocol and capabilities that the model of a request must have; null if no model is involved. */
  readonly model: { readonly speaks: Protocol; readonly supports: readonly Capability[] } | null;
  /** Asks a model to generate, and is charged. A WebSocket does with its first frame. */
  readonly generates: boolean;
  /** Answers a baseline request with an event stream. */
  readonly streams: boolean;
  /** Part of a request that names its model. */
  readonly namesModel: 'body' | 'path' | 'none';
  /** The stored response that it acts on; a cancel takes one that runs in the background. */
  readonly actsOn: 'none' | 'foreground' | 'background';
  /** A baseline, good request. */
  call(baseline: Baseline): Call;
  /** The frame that asks for a generation once a WebSocket is open; null elsewhere. */
  readonly frame: ((baseline: Baseline) => Fields) | null;
}

/** Their names, in the order of the specification's tables. */
export const endpointNames = Object.keys(protocolOfEndpoint) as readonly EndpointName[];

/** Enough to see what operation a baseline request is. */
const nothing = { model: '', maxOutputTokens: 0, input: '', id: '', systemoneBody: {} };

/** The endpoints by name. */
export const endpoints: Readonly<Record<EndpointName, Endpoint>> = each(endpointNames, endpoint);

function endpoint(name: EndpointName): Endpoint {
  const protocol = protocolOfEndpoint[name];
  const { supports, frame, ...facts } = endpointFacts[name];
  return {
    name,
    protocol,
    errorSchema: endpointModules[protocol].errorSchema,
    model: supports === null || protocol === 'models' ? null : { speaks: protocol, supports },
    generates: frame !== undefined || asksToGenerate(facts.call(nothing)),
    streams: false,
    namesModel: 'none',
    actsOn: 'none',
    ...facts,
    frame: frame ?? null,
  };
}

/** In the place of a model or a response id. */
const anyName = 'any-name';

/** Patterns of the requests to each endpoint. */
const requestForms = endpointNames.map((name) => {
  const { operation, method, path, expects } = endpoints[name].call({
    ...nothing,
    model: anyName,
    id: anyName,
  });
  const form = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(anyName, '[^/:]+');
  // The socket is opened where a response is looked up, but for its id.
  const only = expects === 'socket' ? operation : null;
  return { name, method, path: new RegExp(`^${form}$`), only };
});

/**
 * The endpoint that a request was sent to; null where it is none, by its path or its method.
 *
 * @param base base URL of the region
 */
export function endpointOf(
  { request, about }: Pick<Exchange, 'request' | 'about'>,
  base: string,
): EndpointName | null {
  const { pathname } = new URL(request.url);
  const path = pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  const form = requestForms.find(
    (one) =>
      one.method === request.method &&
      one.path.test(path) &&
      (one.only === null || one.only === about.operation),
  );
  return form?.name ?? null;
}

/** For each operation that acts on a stored response: its path before and behind the id. */
const pathsAroundIds = new Map(
  [
    recoverCall(anyName),
    ...endpointNames.flatMap((name) =>
      endpoints[name].actsOn === 'none' ? [] : endpoints[name].call({ ...nothing, id: anyName }),
    ),
  ].map(({ operation, path }) => [operation, path.split(anyName)] as const),
);

export function actsOnStored(operation: string): boolean {
  return pathsAroundIds.has(operation);
}

/**
 * Returns the id of the stored response that a request acts on; null if its operation acts on none.
 *
 * @param address its path or URL
 */
export function storedIdIn(operation: string, address: string): string | null {
  const [before, behind] = pathsAroundIds.get(operation) ?? [];
  const [path = ''] = address.split('?');
  if (before === undefined || behind === undefined || !path.endsWith(behind)) return null;
  const start = path.indexOf(before);
  const id = start < 0 ? '' : path.slice(start + before.length, path.length - behind.length);
  return id === '' || id.includes('/') ? null : decoded(id);
}

/** A request that somebody's client has sent. */
interface ClientRequest {
  readonly method: string;
  readonly url: Pick<URL, 'pathname' | 'searchParams'>;
  /** Its body as JSON, where it is some. */
  readonly body: unknown;
  /** True if the request asks for a WebSocket. */
  readonly upgrades: boolean;
}

/**
 * Returns the operation of a request and the protocol that its answer is judged by; null if the request is
 * not part of the interface.
 *
 * @param base base URL of the region
 */
export function operationOf(
  { method, url, body, upgrades }: ClientRequest,
  base: string,
): Pick<Call, 'operation' | 'protocol'> | null {
  const below = url.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  // Maps the alternative path of an operation to its first path.
  const path = below.replace(/^\/v1\/models\/(?=[^/]+:)/, '/v1beta/models/');
  const form = requestForms.find(
    (one) => one.method === method && one.path.test(path) && (one.only !== null) === upgrades,
  );
  if (form === undefined) return null;
  const { protocol, call } = endpoints[form.name];
  const asked =
    form.name === 'lookup' && url.searchParams.get('stream') === 'true'
      ? recoverCall(anyName)
      : (streamAt(form.name, body) ?? call(nothing));
  return { operation: asked.operation, protocol };
}

/** The call that asks for a stream where one body is asked for, too; null where nothing does. */
function streamAt(name: EndpointName, body: unknown): Call | null {
  if (at(body, 'stream') !== true) return null;
  const one = protocols.find((protocol) => protocolModules[protocol].streamEndpoint === name);
  return one === undefined ? null : (protocolModules[one].request.streamCall?.({}, '') ?? null);
}
