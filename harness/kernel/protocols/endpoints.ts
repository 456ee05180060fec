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
  /** Protocol of its answers. `models` is the list of the `/v1` family. */
  readonly protocol: Protocol | 'models';
  readonly errorSchema: SchemaId;
  /** Protocol and capabilities that the model of a request must have. Null if no model is involved. */
  readonly model: { readonly speaks: Protocol; readonly supports: readonly Capability[] } | null;
  /** True if a request generates and is charged. For a WebSocket, its first frame does. */
  readonly generates: boolean;
  /** True if it answers a baseline request with an event stream. */
  readonly streams: boolean;
  /** Part of a request that names its model. */
  readonly namesModel: 'body' | 'path' | 'none';
  /** The stored response that it acts on. A cancel needs one that runs in the background. */
  readonly actsOn: 'none' | 'foreground' | 'background';
  call(baseline: Baseline): Call;
  /** Returns the frame that requests a generation on an open WebSocket. Null for other endpoints. */
  readonly frame: ((baseline: Baseline) => Fields) | null;
}

/** Endpoint names in the order of the specification's tables. */
export const endpointNames = Object.keys(protocolOfEndpoint) as readonly EndpointName[];

/** Placeholder values, enough to recognise the operation of a baseline request. */
const nothing = { model: '', maxOutputTokens: 0, input: '', id: '', systemoneBody: {} };

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

/** Stands for a model or a response id in patterns. */
const anyName = 'any-name';

const requestForms = endpointNames.map((name) => {
  const { operation, method, path, expects } = endpoints[name].call({
    ...nothing,
    model: anyName,
    id: anyName,
  });
  const form = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(anyName, '[^/:]+');
  // The socket has the same path as reading a response, except for its id.
  const only = expects === 'socket' ? operation : null;
  return { name, method, path: new RegExp(`^${form}$`), only };
});

/**
 * Returns the endpoint of a request. Null if its path or method matches none.
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

/** Path before and after the id, for each operation that acts on a stored response. */
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
 * Returns the id of the stored response that a request acts on. Null if its operation acts on none.
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

interface ClientRequest {
  readonly method: string;
  readonly url: Pick<URL, 'pathname' | 'searchParams'>;
  /** Parsed body, if it is JSON. */
  readonly body: unknown;
  /** True if the request asks for a WebSocket. */
  readonly upgrades: boolean;
}

/**
 * Returns the operation of a request and the protocol that its answer is judged by. Null if the request is not part
 * of the interface.
 *
 * @param base base URL of the region
 */
export function operationOf(
  { method, url, body, upgrades }: ClientRequest,
  base: string,
): Pick<Call, 'operation' | 'protocol'> | null {
  const below = url.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  // Maps the alternative path of an operation to its primary path.
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

/** Returns the call that requests a stream instead of one body. Null if there is none. */
function streamAt(name: EndpointName, body: unknown): Call | null {
  if (at(body, 'stream') !== true) return null;
  const one = protocols.find((protocol) => protocolModules[protocol].streamEndpoint === name);
  return one === undefined ? null : (protocolModules[one].request.streamCall?.({}, '') ?? null);
}
