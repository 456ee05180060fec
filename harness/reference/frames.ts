import type { StreamEvent } from './dialect.ts';
import type { Frames } from './seams.ts';

const unchanged = (events: AsyncIterable<StreamEvent>): AsyncIterable<StreamEvent> => events;

/** Each dialect makes its own native events; nothing is changed on the way to the client. */
export const defaultFrames: Frames = {
  responses: unchanged,
  'chat-completions': unchanged,
  messages: unchanged,
  generative: unchanged,
  systemone: unchanged,
  models: unchanged,
  serialize: ({ name, data }) =>
    `${name === null ? '' : `event: ${name}\n`}data: ${text(data)}\n\n`,
  frame: ({ data }) => text(data),
};

function text(data: StreamEvent['data']): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
