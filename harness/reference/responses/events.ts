import type { StreamEvent } from '../dialect.ts';
import { Feed, type Gone, type Steps } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import type { JsonObject } from '../json.ts';
import { PreparedEvent, preparedEvents } from '../prepared.ts';
import {
  callItem,
  callItemId,
  logprobsOf,
  messageItem,
  outputText,
  responseObject,
  startOf,
} from './object.ts';
import type { Progress, ResponseStatus } from './progress.ts';
import type { ResponseTurn } from './turn.ts';

type Typed = JsonObject & { readonly type: string };

/**
 * The events of a turn, while it runs and whenever it is asked for again: they follow from what it has
 * written, and are kept nowhere.
 *
 * @param from index of the first
 */
export function turnEvents(turn: ResponseTurn, gone: Gone, from = 0): Feed<StreamEvent> {
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
  turn: ResponseTurn,
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
    const response = responseObject(turn, { status, written: 0, isOpen: false });
    // It stands in two events, and is the most of them.
    const text = JSON.stringify(response);
    return (type: string): StreamEvent => {
      const sequence_number = sequence++;
      const start = `{"type":"${type}","sequence_number":${sequence_number},"response":`;
      return new PreparedEvent(type, { type, sequence_number, response }, `${start}${text}}`);
    };
  };

  let unwritten = about(request.background ? 'queued' : 'in_progress');
  yield unwritten('response.created');
  if (request.background) yield unwritten('response.queued');
  while (!run.isBegun && pieces.next() === null) yield null;
  if (run.isBegun) {
    if (request.background) unwritten = about('in_progress');
    yield unwritten('response.in_progress');
    if (request.generate) {
      const item = parts.generation.call === null ? messageEvents(turn) : callEvents(turn);
      for (const one of item.opened()) yield event(one);
      for (let index = 0; ; index++) {
        let piece = pieces.next();
        while (piece === null) {
          yield null;
          piece = pieces.next();
        }
        if (piece === undefined) break;
        for (const one of item.before(index)) yield event(one);
        yield item.grown(piece, sequence++);
      }
      if (!run.pieces.ended) return;
      if (turn.status !== 'cancelled') for (const one of item.closed()) yield event(one);
    } else {
      while (pieces.next() === null) yield null;
    }
  }
  // Who has gone is told nothing more.
  if (!run.pieces.ended) return;
  yield event({ type: endings[turn.status] ?? 'response.completed', response: turn.response() });
}

/** The Responses API has no event for a cancellation: the stream fails, and its response says why. */
const endings: Readonly<Record<string, string>> = {
  cancelled: 'response.failed',
  incomplete: 'response.incomplete',
};

/** The events of the output items of a turn. */
interface ItemEvents {
  opened(): readonly Typed[];
  /** What comes before a piece. @param index its place among all pieces */
  before(index: number): readonly Typed[];
  /** One more piece of text, or of the arguments. */
  grown(piece: string, sequence: number): StreamEvent;
  closed(): readonly Typed[];
}

const nothing: readonly Typed[] = [];

function messageEvents(turn: ResponseTurn): ItemEvents {
  const item = { item_id: turn.parts.itemId, output_index: 0 };
  const part = { ...item, content_index: 0 };
  const type = 'response.output_text.delta';
  const delta = (piece: string, sequence_number: number | string): JsonObject => ({
    type,
    sequence_number,
    ...part,
    delta: piece,
    logprobs: logprobsOf([piece], turn),
  });
  const prepared = turn.parts.request.asked.logprobs === null ? preparedEvents(type, delta) : null;
  return {
    opened: () => {
      const empty = { ...messageItem(turn, turn.begun), content: [] };
      return [
        { type: 'response.output_item.added', output_index: 0, item: empty },
        { type: 'response.content_part.added', ...part, part: outputText([], turn) },
      ];
    },
    before: () => nothing,
    grown: (piece, sequence) =>
      prepared?.(piece, sequence) ?? { name: type, data: delta(piece, sequence) },
    closed: () => {
      const pieces = turn.run.pieces.entries;
      const logprobs = logprobsOf(pieces, turn);
      return [
        { type: 'response.output_text.done', ...part, text: turn.written, logprobs },
        { type: 'response.content_part.done', ...part, part: outputText(pieces, turn) },
        { type: 'response.output_item.done', output_index: 0, item: messageItem(turn, turn.now) },
      ];
    },
  };
}

/** Calls come one after another: the next one opens when the last one is done. */
function callEvents(turn: ResponseTurn): ItemEvents {
  const { calls } = turn.parts.generation;
  let current = 0;
  const place = () => ({ item_id: callItemId(turn, current), output_index: current });
  const added = (): Typed => ({
    type: 'response.output_item.added',
    output_index: current,
    item: callItem(turn, current, turn.begun),
  });
  const done = (as: Progress): readonly Typed[] => {
    const item = callItem(turn, current, as);
    return [
      {
        type: 'response.function_call_arguments.done',
        ...place(),
        name: item.name,
        arguments: item.arguments,
      },
      { type: 'response.output_item.done', output_index: current, item },
    ];
  };
  const type = 'response.function_call_arguments.delta';
  return {
    opened: () => [added()],
    before: (index) => {
      if (current + 1 >= calls.length || index !== startOf(turn, current + 1)) return nothing;
      const finished = done({ ...turn.begun, written: index + 1 });
      current++;
      return [...finished, added()];
    },
    grown: (piece, sequence_number) => ({
      name: type,
      data: { type, sequence_number, ...place(), delta: piece },
    }),
    closed: () => done(turn.now),
  };
}
