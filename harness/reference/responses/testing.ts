import { createParser } from 'eventsource-parser';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { KeyRole } from '../keys.ts';
import { type ReferenceGateway, type ReferenceOptions, startReference } from '../start.ts';

// Plain requests for the tests of the gateway: nothing here knows what a right answer is.

/** A gateway that is closed when the test's scope is left: `await using gateway = …`. */
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

/** Base address of a region. */
export function base(gateway: ReferenceGateway, region = 0): string {
  const found = gateway.regions[region];
  if (found === undefined) throw new Error(`The gateway has no region ${region}.`);
  return found.baseUrl;
}

/** Sends with a Bearer key, and a JSON body where there is one. */
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

/** Sends, and reads the one JSON object that comes back. */
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

/** The events of an SSE answer as they come. To leave the loop early is to drop the connection. */
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

/** Waits until a look at something gives what it should; the test's own time-out is the limit. */
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

/** Finds a member by its dotted path: `output.0.content.0.text`. */
export function at(value: Json | undefined, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    const member: Json | undefined = Object.entries(found).find(([key]) => key === name)?.[1];
    found = member;
  }
  return found;
}
