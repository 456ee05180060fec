import { type ExchangeId, type HeaderLines, ourName } from '../core/index.ts';
import { type CustomHeaders, maskedText, type WireRequest, withVariables } from '../wire/index.ts';
import type { Call, CallOptions, DeployedRegion, Deployment } from './call.ts';
import { credentialFor } from './credentials.ts';
import { baseUrlOf, customHeadersOf, secretHeaders } from './custom-headers.ts';
import { endpointModules } from './modules.ts';
import { asUsual, type UsualClient } from './usual-client.ts';

/** Values that are unique to a request. */
export interface Identity {
  readonly id: ExchangeId;
  /** Value of `X-Client-Request-Id`, by which a ledger identifies the request. */
  readonly clientRequestId: string;
  /** Variant of the usual clients that the run imitates. Default: 0. */
  readonly caller?: number;
}

/**
 * Builds the wire request of a call to a deployment.
 *
 * @throws {Error} for an unknown region or key
 */
export function buildRequest(
  call: Call,
  options: CallOptions,
  deployment: Deployment,
  { id, clientRequestId, caller = 0 }: Identity,
): WireRequest {
  const region = regionOf(options, deployment);
  const credential = credentialFor(call, options, deployment);
  const custom = customHeadersOf(call.protocol, region, deployment);
  const secret = secretHeaders(custom);
  const address = call.url ?? `${baseUrlOf(call.protocol, region, deployment)}${call.path}`;
  const body = bodyBytes(call.body);
  const client = usualClientOf(call, deployment);
  const acceptEncoding = options.acceptEncoding ?? (client === null ? 'identity' : null);
  const own = mergedHeaders(
    client === null ? { 'User-Agent': ourName } : {},
    // Custom headers come first, so that they never replace a header under test.
    mapped(custom, (value) => withVariables(value, deployment.variables ?? {})),
    {
      ...accepted(call, client),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      'X-Client-Request-Id': clientRequestId,
      ...(acceptEncoding === null ? {} : { 'Accept-Encoding': acceptEncoding }),
    },
    credential.headers,
    call.headers ?? {},
    options.headers ?? {},
  );
  return {
    id,
    about: {
      operation: call.operation,
      protocol: call.protocol,
      region: region.name,
      key: options.key ?? 'owner',
      ...(credential.beside === null ? {} : { beside: credential.beside }),
      ...(Object.keys(secret).length === 0 ? {} : { secretHeaders: secret }),
    },
    method: call.method,
    url: urlOf(address, { ...call.query, ...credential.query }, call.expects),
    ...(credential.shownQuery === null
      ? {}
      : { shownUrl: urlOf(address, { ...call.query, ...credential.shownQuery }, call.expects) }),
    headers:
      client === null
        ? own
        : asUsual(own, client, { draw: caller, secure: /^https:/i.test(address) }),
    isKept: client !== null,
    shown: { ...lowered(credential.shownHeaders), ...lowered(mapped(secret, maskedText)) },
    body,
    ...(options.cut === undefined ? {} : { cut: options.cut }),
    ...(options.over === undefined ? {} : { over: options.over }),
    ...(options.offersHttp2 === undefined ? {} : { offersHttp2: options.offersHttp2 }),
    ...(options.cutRequestAfterBytes === undefined
      ? {}
      : { cutRequestAfterBytes: options.cutRequestAfterBytes }),
  };
}

function mapped(headers: CustomHeaders, to: (value: string) => string): CustomHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, to(value)]));
}

function lowered(headers: CustomHeaders): CustomHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function regionOf({ region }: CallOptions, { regions }: Deployment): DeployedRegion {
  const found = region === undefined ? regions[0] : regions.find(({ name }) => name === region);
  if (found !== undefined) return found;
  const known = regions.map(({ name }) => name).join(', ');
  throw new Error(
    `The target has no region "${region}"; it names ${known === '' ? 'none' : known}`,
  );
}

function urlOf(
  address: string,
  query: Readonly<Record<string, string>>,
  expects: Call['expects'],
): string {
  const scheme = expects === 'socket' ? address.replace(/^http/i, 'ws') : address;
  if (Object.keys(query).length === 0) return scheme;
  // Sorted, so that a call has the same text in every run.
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${scheme}?${parameters}`;
}

/** Returns the client whose headers a request imitates. Null if the request identifies Touchstone. */
function usualClientOf(
  { protocol }: Call,
  { identity = 'ordinary' }: Deployment,
): UsualClient | null {
  // A probe belongs to the operator, and no client calls it.
  if (protocol === 'probe' || identity === 'plain') return null;
  return endpointModules[protocol].usualClient;
}

/**
 * Accepts the expected content type by its exact name. Only a SHOULD requires that a wildcard or the type of one
 * body be enough for a stream, and no other check may fail because of it.
 */
function accepted({ expects }: Call, client: UsualClient | null): Record<string, string> {
  if (expects === 'socket') return {};
  const stream = client === null ? 'text/event-stream, application/json' : 'text/event-stream';
  return { Accept: expects === 'events' ? stream : 'application/json' };
}

/** Objects are serialised as JSON, without undefined members. Bytes and text are unchanged. */
function bodyBytes(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Merges headers. A later header replaces earlier ones of the name, case-insensitively, and null removes one. */
function mergedHeaders(
  ...sources: readonly Readonly<Record<string, string | null>>[]
): HeaderLines {
  const lines = new Map<string, readonly [string, string]>();
  for (const [name, value] of sources.flatMap((source) => Object.entries(source))) {
    if (value === null) lines.delete(name.toLowerCase());
    else lines.set(name.toLowerCase(), [name, value]);
  }
  return [...lines.values()];
}
