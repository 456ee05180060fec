import {
  isObject,
  type JsonObject,
  type StreamingProtocol,
  streamingProtocols,
} from '../core/index.ts';
import type { StreamEvent } from './grammar.ts';

/** Recognises the events of each protocol by unique traits: the type, or the name of an event without a type. */
const recognised: Readonly<
  Record<StreamingProtocol, (event: JsonObject, type: string | undefined) => boolean>
> = {
  // No other protocol numbers its events.
  responses: (event, type) =>
    type !== undefined &&
    (type.startsWith('response.') || ('sequence_number' in event && !isOfMessages(type))),
  messages: (_, type) => type !== undefined && isOfMessages(type),
  'chat-completions': (event) =>
    !('type' in event) &&
    (event.object === 'chat.completion.chunk' || Array.isArray(event.choices)),
  generative: (event) =>
    !('type' in event) &&
    ['candidates', 'usageMetadata', 'promptFeedback'].some((member) => member in event),
};

function isOfMessages(type: string): boolean {
  return /^(message_(start|delta|stop)|content_block_(start|delta|stop))$/.test(type);
}

/**
 * The protocol that an event certainly belongs to. Null for events that any stream may have (`error`, `ping`,
 * unknown events).
 */
export function protocolOfEvent({ json, name }: StreamEvent): StreamingProtocol | null {
  const event = isObject(json) ? json : {};
  const type = typeof event.type === 'string' ? event.type : name;
  return streamingProtocols.find((protocol) => recognised[protocol](event, type)) ?? null;
}
