import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { KeyRole } from '../keys.ts';
import { type ReferenceGateway, type ReferenceOptions, startReference } from '../start.ts';

// Plain requests for the tests of the gateway, without knowledge of correct answers.

/** Starts a gateway that closes at the end of the test's scope: `await using gateway = …`. */
export async function reference(
  options: ReferenceOptions = {},
): Promise<ReferenceGateway & AsyncDisposable> {
  const gateway = await startReference(options);
  return { ...gateway, [Symbol.asyncDispose]: () => gateway.close() };
}

interface Sending {
  readonly key?: KeyRole;
  /** Index of the region. */
  readonly region?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the base address of a region. */
export function base(gateway: ReferenceGateway, region = 0): string {
  const found = gateway.regions[region];
  if (found === undefined) throw new Error(`The gateway has no region ${region}.`);
  return found.baseUrl;
}

/** Sends a request with a Bearer key, and with a JSON body if given. */
export function send(
  gateway: ReferenceGateway,
  method: string,
  path: string,
  body?: JsonObject,
  { key = 'owner', region, headers }: Sending = {},
): Promise<Response> {
  return fetch(base(gateway, region) + path, {
    method,
    headers: {
      authorization: `Bearer ${gateway.keys[key]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface Answered {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends a request, and reads the JSON object of its answer. */
export async function ask(
  gateway: ReferenceGateway,
  method: string,
  path: string,
  body?: JsonObject,
  sending: Sending = {},
): Promise<Answered> {
  const answer = await send(gateway, method, path, body, sending);
  const value: Json = JSON.parse(await answer.text());
  return { status: answer.status, body: objectOrEmpty(value) };
}

/** Returns a member by its dotted path: `output.0.content.0.text`. */
export function at(value: Json | undefined, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    const member: Json | undefined = Object.entries(found).find(([key]) => key === name)?.[1];
    found = member;
  }
  return found;
}
