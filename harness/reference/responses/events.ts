import { isHidden } from '../blocks.ts';
import type { StreamEvent } from '../dialect.ts';
import { Feed, type Gone, type Steps } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import { PreparedEvent, preparedEvents, type Written } from '../prepared.ts';
import {
  blockAt,
  idsAt,
  logprobsOf,
  outputItem,
  outputText,
  responseAt,
  summaryText,
  written,
} from './object.ts';
import type { Progress, ResponseStatus } from './progress.ts';
import type { TurnState } from './turn-state.ts';

type Typed = JsonObject & { readonly type: string };

/**
 * Returns the events of a turn, while it runs or when they are requested again. They are derived from the written
 * pieces rather than stored.
 *
 * @param from index of the first event
 */
export function turnEvents(turn: TurnState, gone: Gone, from = 0): Feed<StreamEvent> {
  const pieces = turn.run.pieces.reader(gone);
  const steps = eventSteps(turn, pieces);
  return new Feed(from === 0 ? steps : later(steps, from), () => pieces.more());
}

function* later(
  steps: Steps<StreamEvent>,
  from: number,
): Steps<StreamEvent> & Iterable<StreamEvent | null> {
  let index = 0;
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) return;
    if (value === null || index++ >= from) yield value;
  }
}

function* eventSteps(
  turn: TurnState,
  pieces: JournalReader<string>,
): Generator<StreamEvent | null, void, undefined> {
  const { run, parts } = turn;
  const { request } = parts;
  let sequence = 0;
  const event = ({ type, ...fields }: Typed): StreamEvent => ({
    name: type,
    data: { type, sequence_number: sequence++, ...fields },
  });
  const about = (status: ResponseStatus) => {
    const response = responseAt(turn, { status, written: 0, isOpen: false });
    // Two events contain the response, which is their largest part.
    let text: string | null = null;
    return (type: string): StreamEvent =>
      whole(type, sequence++, response, () => {
        text ??= response.text;
        return text;
      });
  };

  let unwritten = about(request.background ? 'queued' : 'in_progress');
  yield unwritten('response.created');
  if (request.background) yield unwritten('response.queued');
  while (!run.isBegun && pieces.next() === null) yield null;
  if (run.isBegun) {
    if (request.background) unwritten = about('in_progress');
    yield unwritten('response.in_progress');
    if (request.generate) {
      const { blocks } = parts.generation;
      let n = 0;
      let item = itemEvents(turn, n);
      let end = blocks[n]?.pieces.length ?? 0;
      for (const one of item.opened()) yield event(one);
      for (let index = 0; ; index++) {
        let piece = pieces.next();
        while (piece === null) {
          yield null;
          piece = pieces.next();
        }
        if (piece === undefined) break;
        const next = blocks[n + 1];
        if (index === end && next !== undefined) {
          // An item opens when the previous one is done.
          const done = item.closed({ ...turn.begun, written: index + 1 });
          for (const one of done) yield event(one);
          item = itemEvents(turn, ++n);
          end += next.pieces.length;
          for (const one of item.opened()) yield event(one);
        }
        const grown = item.grown(piece, sequence);
        if (grown === null) continue;
        sequence++;
        yield grown;
      }
      if (!run.pieces.ended) return;
      if (turn.status !== 'cancelled') for (const one of item.closed(turn.now)) yield event(one);
    } else {
      while (pieces.next() === null) yield null;
    }
  }
  // A reader that has disconnected does not get the final event.
  if (!run.pieces.ended) return;
  yield whole(endings[turn.status] ?? 'response.completed', sequence++, turn.response());
}

/** Returns an event with the whole response. @param write returns the JSON text of the response */
function whole(
  type: string,
  sequence_number: number,
  response: Written,
  write = () => response.text,
): StreamEvent {
  return new PreparedEvent(
    type,
    () => ({ type, sequence_number, response: response.data }),
    () => `{"type":"${type}","sequence_number":${sequence_number},"response":${write()}}`,
  );
}

/**
 * Final events by status. The Responses API has no event for a cancellation: the stream fails, and its response
 * shows the reason.
 */
const endings: Readonly<Record<string, string>> = {
  cancelled: 'response.failed',
  incomplete: 'response.incomplete',
};

interface ItemEvents {
  opened(): readonly Typed[];
  /** Returns the event for one more piece; null if the piece does not show. */
  grown(piece: string, sequence: number): StreamEvent | null;
  closed(as: Progress): readonly Typed[];
}

/** @param n index of the block */
function itemEvents(turn: TurnState, n: number): ItemEvents {
  const at = { item_id: idsAt(turn, n).item, output_index: n };
  const events = { thought: thoughtEvents, text: textEvents, call: callEvents };
  const { opened, grown, closed } = events[blockAt(turn, n).kind](turn, n, at);
  const about = (type: string, item: JsonObject): Typed => ({ type, output_index: n, item });
  return {
    opened: () => {
      // The item has no content yet, not even an empty part.
      const item = outputItem(turn, n, turn.begun);
      const empty = 'content' in item ? { ...item, content: [] } : item;
      return [about('response.output_item.added', empty), ...opened()];
    },
    grown,
    closed: (as) => [...closed(as), about('response.output_item.done', outputItem(turn, n, as))],
  };
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

/** Returns the events between the first and the last event of an item. */
type Inside = (turn: TurnState, n: number, at: Place) => ItemEvents;

type Delta = ReturnType<typeof preparedEvents>;

/** Cached deltas, by the position of their items. */
const textDeltas: Delta[] = [];
const mostKept = 8;

/** Returns the delta for a piece of text, without log probabilities. */
function textDelta(output_index: number): Delta {
  const known = textDeltas[output_index];
  if (known !== undefined) return known;
  const type = 'response.output_text.delta';
  const made = preparedEvents(type, (delta, sequence_number, item_id) => ({
    type,
    sequence_number,
    item_id,
    output_index,
    content_index: 0,
    delta,
    logprobs: [],
  }));
  if (output_index < mostKept) textDeltas[output_index] = made;
  return made;
}

const textEvents: Inside = (turn, n, at) => {
  const { item_id, output_index } = at;
  const part = { item_id, output_index, content_index: 0 };
  const type = 'response.output_text.delta';
  const tells = turn.parts.request.asked.logprobs !== null;
  return {
    opened: () => [{ type: 'response.content_part.added', ...part, part: outputText([], turn) }],
    grown: (delta, sequence_number) =>
      tells
        ? {
            name: type,
            data: { type, sequence_number, ...part, delta, logprobs: logprobsOf([delta], turn) },
          }
        : textDelta(output_index)(delta, sequence_number, item_id),
    closed: (as) => {
      const pieces = written(turn, n, as);
      const logprobs = logprobsOf(pieces, turn);
      return [
        { type: 'response.output_text.done', ...part, text: pieces.join(''), logprobs },
        { type: 'response.content_part.done', ...part, part: outputText(pieces, turn) },
      ];
    },
  };
};

const nothing: ItemEvents = { opened: () => [], grown: () => null, closed: () => [] };

const thoughtEvents: Inside = (turn, n, at) => {
  if (isHidden(blockAt(turn, n))) return nothing;
  const part = { ...at, summary_index: 0 };
  const type = 'response.reasoning_summary_text.delta';
  return {
    opened: () => [
      { type: 'response.reasoning_summary_part.added', ...part, part: summaryText('') },
    ],
    grown: preparedEvents(type, (delta, sequence_number) => ({
      type,
      sequence_number,
      ...part,
      delta,
    })),
    closed: (as) => {
      const text = written(turn, n, as).join('');
      return [
        { type: 'response.reasoning_summary_text.done', ...part, text },
        { type: 'response.reasoning_summary_part.done', ...part, part: summaryText(text) },
      ];
    },
  };
};

const callEvents: Inside = (turn, n, at) => {
  const type = 'response.function_call_arguments.delta';
  return {
    opened: () => [],
    grown: (delta, sequence_number) => ({
      name: type,
      data: { type, sequence_number, ...at, delta },
    }),
    closed: (as) => {
      const { name, arguments: args } = outputItem(turn, n, as);
      return [{ type: 'response.function_call_arguments.done', ...at, name, arguments: args }];
    },
  };
};
