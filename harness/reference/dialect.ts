import type { JsonObject } from './json.ts';

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
