import { isInteger, type JsonObject } from '../../core/json-value.ts';

/** An item as the events make it. */
export interface Item {
  index: number;
  /** Its index was wrong when it was added: that is told once, not again with each event. */
  indexUnsure: boolean;
  id: string | null;
  type: string | null;
  /** Seen before, or without, being added. */
  adopted: boolean;
  doneAt: number | null;
  /** The item of `response.output_item.done`. */
  final: { readonly item: JsonObject; readonly index: number } | null;
  readonly parts: Part[];
  /** Function calls: fragments, and the arguments of their `done`. */
  fragments: string | null;
  /** A fragment was malformed: the arguments cannot be known. */
  unsure: boolean;
  arguments: { readonly text: string; readonly index: number } | null;
}

/** A part of an item's content, as the events make it. */
export interface Part {
  index: number;
  type: string | null;
  adopted: boolean;
  closed: boolean;
  /** Open when its item was done: that is told, or nobody can say. */
  forgiven: boolean;
  /** A fragment was malformed: the text cannot be known. */
  unsure: boolean;
  fragments: string;
  /** The text of `response.output_text.done` or `response.refusal.done`. */
  text: { readonly text: string; readonly index: number } | null;
  /** The part of `response.content_part.done`. */
  final: { readonly part: unknown; readonly index: number } | null;
}

/** The end of a stream, as far as items care. */
export interface StreamEnd {
  readonly index: number;
  /** Ended by `response.completed` or `response.incomplete`: all must be closed by now. */
  readonly settled: boolean;
  readonly completed: boolean;
  readonly response: JsonObject | null;
}

/** The parts that every source has events for. */
export function isText({ type }: Part): boolean {
  return type === 'output_text' || type === 'refusal';
}

/** An index of an event; null when it is none. */
export function indexIn(body: JsonObject, name: string): number | null {
  const value = body[name];
  return isInteger(value) && value >= 0 ? value : null;
}

export function newItem(index: number, id: string | null, type: string | null): Item {
  return {
    index,
    indexUnsure: false,
    id,
    type,
    adopted: false,
    doneAt: null,
    final: null,
    parts: [],
    fragments: null,
    unsure: false,
    arguments: null,
  };
}

export function newPart(index: number, type: string | null): Part {
  return {
    index,
    type,
    adopted: false,
    closed: false,
    forgiven: false,
    unsure: false,
    fragments: '',
    text: null,
    final: null,
  };
}
