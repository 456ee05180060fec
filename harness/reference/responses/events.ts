import type { JsonObject } from '../json.ts';
import { logprobsOf, outputItem, outputText } from './object.ts';
import type { ResponseTurn } from './turn.ts';

type Typed = JsonObject & { readonly type: string };

/** The events of the one output item of a turn, without their sequence numbers. */
export interface ItemEvents {
  opened(): Iterable<Typed>;
  /** One more piece of text, or of the arguments. */
  grown(piece: string): Iterable<Typed>;
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
      const empty = { ...outputItem(turn), content: [] };
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
      yield { type: 'response.output_item.done', output_index: 0, item: outputItem(turn) };
    },
  };
}

function callEvents(turn: ResponseTurn): ItemEvents {
  const item = { item_id: turn.parts.itemId, output_index: 0 };
  const name = turn.parts.generation.call ?? '';
  return {
    *opened() {
      yield { type: 'response.output_item.added', output_index: 0, item: outputItem(turn) };
    },
    *grown(piece) {
      yield { type: 'response.function_call_arguments.delta', ...item, delta: piece };
    },
    *closed() {
      const text = turn.written;
      yield { type: 'response.function_call_arguments.done', ...item, name, arguments: text };
      yield { type: 'response.output_item.done', output_index: 0, item: outputItem(turn) };
    },
  };
}
