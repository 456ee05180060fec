import type { Call, Gateway } from './call.ts';
import type { Gone } from './feed.ts';
import type { JsonObject } from './json.ts';
import type { Key } from './keys.ts';
import type { OpenSocket } from './open-socket.ts';
import type { Written } from './prepared.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import type { StoredResponse } from './store.ts';

/** Names of the protocols, and of the OpenAI-style model list, which has its own errors and headers. */
export const dialectNames = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
  'systemone',
  'models',
] as const;

export type DialectName = (typeof dialectNames)[number];

/** Operation of a request: one per endpoint, and one for the recovery of a stream. */
export type Operation =
  | 'responses.create'
  | 'responses.lookup'
  | 'responses.recover'
  | 'responses.input-items'
  | 'responses.cancel'
  | 'responses.delete'
  | 'responses.compact'
  | 'responses.input-tokens'
  | 'responses.websocket'
  | 'chat-completions.create'
  | 'messages.create'
  | 'messages.count-tokens'
  | 'generative.generate'
  | 'generative.stream'
  | 'generative.count-tokens'
  | 'systemone.create'
  | 'models.list'
  | 'models.catalog'
  /** No endpoint: unknown path or method. */
  | 'none';

/** Kinds of JSON answers, so that a defect can change the encoding of a single kind. */
export type BodyKind =
  | 'responses.response'
  | 'responses.input-items'
  | 'responses.deleted'
  | 'responses.compaction'
  | 'responses.input-tokens'
  | 'chat-completions.completion'
  | 'messages.message'
  | 'messages.count'
  | 'generative.response'
  | 'generative.count'
  | 'models.catalog'
  | 'systemone.result'
  | 'models.list'
  | 'models.model'
  | `${DialectName}.error`;

export type StreamKind = `${DialectName}.stream`;

/** Event of a stream, before serialization. */
export interface StreamEvent {
  /** Value of the `event:` line; null if the protocol has none. */
  readonly name: string | null;
  /** A string, such as `[DONE]`, is written verbatim. */
  readonly data: JsonObject | string;
}

/** Answer with one JSON body. */
export interface BodyAnswer {
  readonly kind: BodyKind;
  /** Default: 200. */
  readonly status?: number;
  readonly body: JsonObject | Written;
  /** Stored response that the answer is about. */
  readonly record?: StoredResponse;
}

/** Answer with a stream of events. */
export interface StreamAnswer {
  readonly kind: StreamKind;
  /** Returns the events. They end early when the signal fires because the client has disconnected. */
  events(gone: Gone): AsyncIterable<StreamEvent>;
  /** Called once if the client disconnects before the end of the stream. */
  dropped?(): void;
  readonly record?: StoredResponse;
  /** Sequence number after which an interrupted stream resumes; null for its start. */
  readonly startingAfter?: number | null;
}

export type Answer = BodyAnswer | StreamAnswer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Matched against the raw path; its named groups, percent-decoded, become `call.params`. */
  readonly path: RegExp;
  /** Returns the operation, which may depend on the action in the path or on the query. */
  operation(params: Readonly<Record<string, string>>, query: URLSearchParams): Operation;
  /** `json`: the body is read, and has to be an object. `ignored`: the body is not read. */
  readonly body: 'json' | 'ignored';
  /** Handles a request. Throws a {@link Refusal} for an invalid one. */
  handle(call: Call, key: Key): Promise<Answer> | Answer;
}

/** Header with the key. `scheme` precedes the key, as in `Authorization: Bearer`. */
export interface CredentialHeader {
  readonly header: string;
  readonly scheme: string | null;
}

/** Definition of one protocol: its endpoints, its credential and its errors. */
export interface Dialect {
  readonly name: DialectName;
  /** Identifier with which a model declares the protocol; null if no declaration is needed (the model lists). */
  readonly declaredAs: string | null;
  /** True if this dialect refuses an unknown endpoint at the path. */
  owns(path: string): boolean;
  credential(gateway: Gateway): CredentialHeader;
  /** Credential headers that a gateway for developing clients accepts in the absence of the own one. */
  furtherCredentials?(gateway: Gateway): readonly CredentialHeader[];
  /** Returns the name of the required version header, if the protocol has one. */
  versionHeader?(gateway: Gateway): string;
  /** Name of the answer header with the request id. */
  readonly requestIdHeader: string;
  /** Statuses of refusals that differ from the usual ones in this protocol. */
  readonly statuses: Partial<Record<RefusalReason, number>>;
  error(refusal: Refusal, status: number, call: Call): JsonObject;
  /** Returns the native error as the only event of a stream. */
  errorEvent(refusal: Refusal, status: number, call: Call): StreamEvent;
  readonly routes: readonly Route[];
  /** Only for the protocol that also supports WebSocket. */
  readonly upgrade?: {
    readonly path: RegExp;
    readonly operation: Operation;
    connect(socket: OpenSocket, call: Call, key: Key): void;
  };
}
