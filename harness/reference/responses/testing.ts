import { createParser } from 'eventsource-parser';
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

export interface Sending {
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

interface ReceivedEvent {
  /** Value of the `event:` line, or null. */
  readonly name: string | null;
  readonly data: JsonObject;
}

/** Yields the events of an SSE answer as they arrive. Leaving the loop early drops the connection. */
export async function* eventsOf(answer: Response): AsyncGenerator<ReceivedEvent> {
  const received: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value: Json = JSON.parse(data);
      received.push({ name: event ?? null, data: objectOrEmpty(value) });
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* received.splice(0);
  }
}

export async function allEvents(answer: Response): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of eventsOf(answer)) events.push(event);
  return events;
}

/** Polls until a value is as expected; the test's timeout is the limit. */
export async function eventually<T>(
  look: () => Promise<T>,
  until: (value: T) => boolean,
): Promise<T> {
  for (;;) {
    const value = await look();
    if (until(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
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
