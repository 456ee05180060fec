import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Call } from './call.ts';
import type { BodyKind, Dialect, DialectName, Route, StreamEvent, StreamKind } from './dialect.ts';
import { defaultFrames } from './frames.ts';
import { randomDigits } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { OpenSocket } from './open-socket.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import type { Refusal } from './refusal.ts';
import type { StoredResponse } from './store.ts';
import { defaultTransport } from './transport.ts';

/**
 * Everything that the gateway decides and everything that it writes, as named functions. The dialects
 * go through them; a defect replaces one of them. So no dialect knows of any defect.
 */
export interface Seams {
  /** Endpoints and their handlers. */
  readonly endpoints: Endpoints;
  /** Decisions: permissions, storage, cancellation, counts. */
  readonly policy: Policy;
  /** Content of JSON answers. */
  readonly encode: Encode;
  /** Events of streams, and their serialization. */
  readonly frames: Frames;
  /** Transport of bytes to the client. */
  readonly transport: Transport;
}

interface Endpoints {
  /** The endpoints of one protocol; asked once, when the gateway starts. The first that fits serves. */
  routes(dialect: Dialect): readonly Route[];
}

/** Context of an answer. */
export interface Context {
  readonly call: Call;
  /** The stored response that the answer is about, if it is about one. */
  readonly record: StoredResponse | null;
  /** Reason of the refusal; null if the request is served. */
  readonly refusal: Refusal | null;
}

/** The last look at a JSON answer before it is written. By default nothing changes. */
interface Encode {
  body(kind: BodyKind, body: JsonObject, context: Context): JsonObject;
  status(kind: BodyKind | StreamKind, status: number, context: Context): number;
  headers(kind: BodyKind | StreamKind, headers: Headers, context: Context): Headers;
  /** A new id with the protocol's prefix (`resp_`, `msg_`, …). */
  id(prefix: string, call: Call): string;
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export interface StreamContext extends Context {
  readonly over: 'sse' | 'websocket';
  /** The stream takes up a broken one after this sequence number; null from its start. */
  readonly startingAfter: number | null;
}

type Transform = (
  events: AsyncIterable<StreamEvent>,
  context: StreamContext,
) => AsyncIterable<StreamEvent>;

/** The event sequence of each protocol, as it is about to be delivered to one client. */
export interface Frames extends Record<DialectName, Transform> {
  /** One event in SSE framing, its blank line included. */
  serialize(event: StreamEvent, context: StreamContext): string;
  /** One event as the text of a WebSocket frame. */
  frame(event: StreamEvent, context: StreamContext): string;
}

/** Status line and headers. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface Transport {
  /** Writes one whole answer. */
  send(out: ServerResponse, head: Head, body: string, context: Context): Promise<void>;
  /**
   * Writes the head at once, then each piece as it comes, then ends. Comes back early when the client
   * has gone: the pieces end then.
   */
  stream(
    out: ServerResponse,
    head: Head,
    pieces: AsyncIterable<string>,
    context: StreamContext,
  ): Promise<void>;
  /** Refuses an upgrade on the bare socket, and ends it. */
  refuseUpgrade(socket: Duplex, head: Head, body: string): void;
  /** Sends one WebSocket text frame. */
  frame(socket: OpenSocket, text: string, context: StreamContext): Promise<void>;
}

/** Functions that a defect replaces. All others stay the same. */
export type Overrides = { readonly [Room in keyof Seams]?: Partial<Seams[Room]> };

/** A planted fault, or a legal variant. */
export interface Defect {
  readonly id: string;
  /** Description of the difference, in one sentence. */
  readonly what: string;
  /** The regions that have it. Default: every one. */
  readonly regions?: readonly string[];
  /** True if the defect shows behind TLS only, where HTTP/2 is offered. */
  readonly isSecure?: true;
  /** `seams` are the functions as they were, to call on where the defect does not apply. */
  override(seams: Seams): Overrides;
}

export const defaultEncode: Encode = {
  body: (_kind, body) => body,
  status: (_kind, status) => status,
  headers: (_kind, headers) => headers,
  id: (prefix) => prefix + randomDigits(),
};

export const defaultSeams: Seams = {
  endpoints: { routes: ({ routes }) => routes },
  policy: defaultPolicy,
  encode: defaultEncode,
  frames: defaultFrames,
  transport: defaultTransport,
};

/** The seams of a gateway with this defect. */
export function withDefect(defect: Defect | undefined, seams: Seams = defaultSeams): Seams {
  const overrides = defect?.override(seams) ?? {};
  return {
    endpoints: { ...seams.endpoints, ...overrides.endpoints },
    policy: { ...seams.policy, ...overrides.policy },
    encode: { ...seams.encode, ...overrides.encode },
    frames: { ...seams.frames, ...overrides.frames },
    transport: { ...seams.transport, ...overrides.transport },
  };
}
