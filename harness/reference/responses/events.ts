import type { JsonObject } from '../json.ts';
import { callItem, callItemId, logprobsOf, messageItem, outputText, startOf } from './object.ts';
import type { ResponseTurn } from './turn.ts';

type Typed = JsonObject & { readonly type: string };

/** The events of the output items of a turn, without their sequence numbers. */
export interface ItemEvents {
  opened(): Iterable<Typed>;
  /** One more piece of text, or of the arguments. @param index its place among all pieces */
  grown(piece: string, index: number): Iterable<Typed>;
  closed(): Iterable<Typed>;
}

export function itemEvents(turn: ResponseTurn): ItemEvents {
  return turn.parts.generation.call === null ? messageEvents(turn) : callEvents(turn);
}

function messageEvents(turn: ResponseTurn): ItemEvents {
  const item = { item_id: turn.parts.itemId, output_index: 0 };
  const part = { ...item, content_index: 0 };
  return {
    *opened() {
      const empty = { ...messageItem(turn), content: [] };
      yield { type: 'response.output_item.added', output_index: 0, item: empty };
      yield { type: 'response.content_part.added', ...part, part: outputText([], turn) };
    },
    *grown(piece) {
      const logprobs = logprobsOf([piece], turn);
      yield { type: 'response.output_text.delta', ...part, delta: piece, logprobs };
    },
    *closed() {
      const pieces = turn.run.pieces.entries;
      const logprobs = logprobsOf(pieces, turn);
      yield { type: 'response.output_text.done', ...part, text: turn.written, logprobs };
      yield { type: 'response.content_part.done', ...part, part: outputText(pieces, turn) };
      yield { type: 'response.output_item.done', output_index: 0, item: messageItem(turn) };
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
    item: callItem(turn, current),
  });
  function* done(): Iterable<Typed> {
    const item = callItem(turn, current);
    yield {
      type: 'response.function_call_arguments.done',
      ...place(),
      name: item.name,
      arguments: item.arguments,
    };
    yield { type: 'response.output_item.done', output_index: current, item };
  }
  return {
    *opened() {
      yield added();
    },
    *grown(piece, index) {
      if (current + 1 < calls.length && index === startOf(turn, current + 1)) {
        yield* done();
        current++;
        yield { ...added(), item: { ...callItem(turn, current), arguments: '' } };
      }
      yield { type: 'response.function_call_arguments.delta', ...place(), delta: piece };
    },
    closed: done,
  };
}
