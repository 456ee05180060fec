import type { Frames } from './call.ts';
import type { StreamEvent } from './dialect.ts';
import { PreparedEvent } from './prepared.ts';

const unchanged = (events: AsyncIterable<StreamEvent>): AsyncIterable<StreamEvent> => events;

/** Default frames: each dialect produces native events, which are delivered unchanged. */
export const defaultFrames: Frames = {
  responses: unchanged,
  'chat-completions': unchanged,
  messages: unchanged,
  generative: unchanged,
  systemone: unchanged,
  models: unchanged,
  serialize: (event) =>
    event.name === null
      ? `data: ${text(event)}\n\n`
      : `event: ${event.name}\ndata: ${text(event)}\n\n`,
  frame: text,
};

function text(event: StreamEvent): string {
  if (event instanceof PreparedEvent) return event.text;
  return typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
}
