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
 * Every decision and every output of the gateway, as named functions. The dialects call them, and a defect replaces
 * one of them, so that no dialect knows of any defect.
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
  /** Returns the endpoints of one protocol; called once, when the gateway starts. The first match serves. */
  routes(dialect: Dialect): readonly Route[];
}

export interface Context {
  readonly call: Call;
  /** The stored response that the answer is about, if it is about one. */
  readonly record: StoredResponse | null;
  /** Reason of the refusal; null if the request is served. */
  readonly refusal: Refusal | null;
}

/** Final changes to a JSON answer before it is written. The default changes nothing. */
interface Encode {
  body(kind: BodyKind, body: JsonObject, context: Context): JsonObject;
  status(kind: BodyKind | StreamKind, status: number, context: Context): number;
  headers(kind: BodyKind | StreamKind, headers: Headers, context: Context): Headers;
  /** Returns a new id with the protocol's prefix (`resp_`, `msg_`, …). */
  id(prefix: string, call: Call): string;
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export interface StreamContext extends Context {
  readonly over: 'sse' | 'websocket';
  /** Sequence number after which an interrupted stream resumes; null for its start. */
  readonly startingAfter: number | null;
}

type Transform = (
  events: AsyncIterable<StreamEvent>,
  context: StreamContext,
) => AsyncIterable<StreamEvent>;

/** Event sequence of each protocol, as delivered to one client. */
export interface Frames extends Record<DialectName, Transform> {
  /** Serializes one event in SSE framing, including its blank line. */
  serialize(event: StreamEvent, context: StreamContext): string;
  /** Serializes one event as the text of a WebSocket frame. */
  frame(event: StreamEvent, context: StreamContext): string;
}

export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface Transport {
  /** Writes one complete answer. */
  send(out: ServerResponse, head: Head, body: string, context: Context): Promise<void>;
  /**
   * Writes the head at once, then each piece as it arrives, then ends. Returns early if the client has
   * disconnected, which ends the pieces.
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

/** Functions that a defect replaces; all others stay unchanged. */
export type Overrides = { readonly [Room in keyof Seams]?: Partial<Seams[Room]> };

/** A planted fault, or a legal variant. */
export interface Defect {
  readonly id: string;
  /** Description of the difference, in one sentence. */
  readonly what: string;
  /** Regions that have the defect. Default: all. */
  readonly regions?: readonly string[];
  /** True if the defect shows only behind TLS, where HTTP/2 is available. */
  readonly isSecure?: true;
  /**
   * Returns the replaced functions. `seams` are the previous functions, to call where the defect does not apply.
   */
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

/** Returns the seams of a gateway with this defect. */
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
