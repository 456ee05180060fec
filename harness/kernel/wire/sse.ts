import type { Exchange } from '../core/index.ts';
import { type Comment, EventReader, type ServerSentEvent } from './event-reader.ts';
import { remembered } from './remembered.ts';

export interface ServerSentEvents {
  /** The events that a blank line closed. */
  readonly events: readonly ServerSentEvent[];
  readonly comments: readonly Comment[];
  /** The event that the lines after the last blank line would form. Null if they hold no data. */
  readonly unclosed: ServerSentEvent | null;
}

const none: ServerSentEvents = { events: [], comments: [], unclosed: null };

/** Reads the answer of an exchange as an event stream, regardless of its content type. */
export const serverSentEvents = remembered(readEvents);

function readEvents({ response, times }: Exchange): ServerSentEvents {
  if (response === null) return none;
  const reader = new EventReader();
  let start = 0;
  for (const { at, end } of response.chunks) {
    reader.read(response.body.subarray(start, end), at);
    start = end;
  }
  return {
    events: reader.events,
    comments: reader.comments,
    unclosed: eventOf(reader.unclosed(), response.chunks.at(-1)?.at ?? times.ended),
  };
}

/** Returns the event that these lines would form if it were closed by an empty line. */
function eventOf(lines: readonly string[], at: number): ServerSentEvent | null {
  const reader = new EventReader();
  reader.read(Buffer.from(`${lines.join('\n')}\n\n`), at);
  return reader.events[0] ?? null;
}
