import type { Call, Gateway } from './call.ts';
import type { Gone } from './feed.ts';
import type { JsonObject } from './json.ts';
import type { Key } from './keys.ts';
import type { OpenSocket } from './open-socket.ts';
import type { Written } from './prepared.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import type { StoredResponse } from './store.ts';

/** The protocols, and the OpenAI-style model list, whose errors and headers are its own. */
export const dialectNames = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
  'systemone',
  'models',
] as const;

export type DialectName = (typeof dialectNames)[number];

/** Operation that a request asks for: one for each endpoint, and one more for the recovery of a stream. */
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
  /** No endpoint: the path or the method is unknown. */
  | 'none';

/** Kind of a JSON answer, by which a defect can change the encoding of one kind only. */
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

/** One event of a stream, before it is written. */
export interface StreamEvent {
  /** Value of the `event:` line; null where the protocol has none. */
  readonly name: string | null;
  /** A string is written as it stands, for `[DONE]`. */
  readonly data: JsonObject | string;
}

/** One JSON body. */
export interface BodyAnswer {
  readonly kind: BodyKind;
  /** 200 when absent. */
  readonly status?: number;
  readonly body: JsonObject | Written;
  /** The stored response that the answer is about. */
  readonly record?: StoredResponse;
}

/** A stream of events. */
export interface StreamAnswer {
  readonly kind: StreamKind;
  /** Ends early when the signal fires: the client has gone. */
  events(gone: Gone): AsyncIterable<StreamEvent>;
  /** Called once when the client drops the connection before the stream has ended. */
  dropped?(): void;
  readonly record?: StoredResponse;
  /** The stream takes up a broken one after this sequence number; null from its start. */
  readonly startingAfter?: number | null;
}

export type Answer = BodyAnswer | StreamAnswer;

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Matched against the raw path; its named groups, percent-decoded, are `call.params`. */
  readonly path: RegExp;
  /** Returns the operation, which may depend on the action in the path or on the query. */
  operation(params: Readonly<Record<string, string>>, query: URLSearchParams): Operation;
  /** `json`: the body is read, and has to be an object. `ignored`: whatever comes is not looked at. */
  readonly body: 'json' | 'ignored';
  /** Throws a {@link Refusal} for what is not served. */
  handle(call: Call, key: Key): Promise<Answer> | Answer;
}

/** The header that carries the key. `scheme` stands before it, as in `Authorization: Bearer`. */
export interface CredentialHeader {
  readonly header: string;
  readonly scheme: string | null;
}

/** Definition of one protocol: its endpoints, its credential and its errors. */
export interface Dialect {
  readonly name: DialectName;
  /**
   * Identifier by which a model declares the protocol; null if no declaration is needed (the model lists).
   */
  readonly declaredAs: string | null;
  /** The dialect that refuses unknown paths and methods under this one. */
  owns(path: string): boolean;
  credential(gateway: Gateway): CredentialHeader;
  /** Headers that a gateway for building clients accepts if the header of the key is missing. */
  furtherCredentials?(gateway: Gateway): readonly CredentialHeader[];
  /** Name of the header with the protocol's version, where it is required. */
  versionHeader?(gateway: Gateway): string;
  /** Name of the answer's header with the id of the request. */
  readonly requestIdHeader: string;
  /** Statuses of refusals that differ from the usual ones in this protocol. */
  readonly statuses: Partial<Record<RefusalReason, number>>;
  /** The native error body. */
  error(refusal: Refusal, status: number, call: Call): JsonObject;
  /** The native error, as the only event of a stream. */
  errorEvent(refusal: Refusal, status: number, call: Call): StreamEvent;
  readonly routes: readonly Route[];
  /** Only for the protocol that is spoken over WebSocket too. */
  readonly upgrade?: {
    readonly path: RegExp;
    readonly operation: Operation;
    connect(socket: OpenSocket, call: Call, key: Key): void;
  };
}
