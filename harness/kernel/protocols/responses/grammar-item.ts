import { at, isObject, type JsonObject, parsed, textAt } from '../../core/index.ts';
import type { ViolationLog } from '../violation-log.ts';
import type { Rule } from './rules.ts';

export interface Item {
  index: number;
  /** True if its index was wrong when it was added. The error is reported once, not for each event. */
  indexUnsure: boolean;
  id: string | null;
  type: string | null;
  /** The id that the result of a call must name. Null for other items. */
  callId: string | null;
  /** True if an event referred to the item before it was added, or without it being added. */
  adopted: boolean;
  doneAt: number | null;
  /** The item of `response.output_item.done`. */
  final: { readonly item: JsonObject; readonly index: number } | null;
  readonly parts: Part[];
  /** Argument fragments of a function call, and the arguments of their `done` event. */
  fragments: string | null;
  /** True after a malformed fragment, which makes the arguments unknown. */
  unsure: boolean;
  arguments: { readonly text: string; readonly index: number } | null;
}

/** State of a content part, built from the events. */
export interface Part {
  index: number;
  type: string | null;
  adopted: boolean;
  closed: boolean;
  /** True if the part was open when its item was done, and this is reported or cannot be judged. */
  forgiven: boolean;
  /** True after a malformed fragment, which makes the text unknown. */
  unsure: boolean;
  fragments: string;
  /** The text of `response.output_text.done` or `response.refusal.done`. */
  text: { readonly text: string; readonly index: number } | null;
  /** The part of `response.content_part.done`. */
  final: { readonly part: unknown; readonly index: number } | null;
}

/** The end of a stream, as relevant for items. */
export interface StreamEnd {
  readonly index: number;
  /** True after `response.completed` or `response.incomplete`: all items must be closed. */
  readonly settled: boolean;
  readonly completed: boolean;
  /**
   * Types of parts and of calls that this stream sends in fragments. A type must be sent in fragments throughout
   * the stream, because a client that appends fragments would miss the rest.
   */
  readonly inFragments?: ReadonlySet<string | null>;
  readonly response: JsonObject | null;
}

/** True for the parts that all sources document events for. */
export function isText({ type }: Part): boolean {
  return type === 'output_text' || type === 'refusal';
}

export function newItem(index: number, id: string | null, type: string | null): Item {
  return {
    index,
    indexUnsure: false,
    id,
    type,
    callId: null,
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

/** A text that a later event repeats. */
interface Repeated {
  readonly as: string;
  readonly text: string;
  readonly index: number;
}

/**
 * The text or refusal of a part: its joined deltas. Without deltas, the first event with the whole text, because no
 * document requires deltas.
 */
export function textOfPart(part: Part, item: Item): string {
  if (part.fragments !== '') return part.fragments;
  const field = part.type === 'refusal' ? 'refusal' : 'text';
  const [first] = repeats(item, part, field, null);
  return first?.text ?? '';
}

/**
 * Checks that joined deltas, the text of `done`, the part, the item and the final response are equal, for each part
 * of an item. Without deltas, the others must be equal.
 *
 * @param unseen true if the start of the item precedes the stream, so that its text ends with the deltas
 */
export function judgeText(
  log: ViolationLog<Rule>,
  item: Item,
  end: StreamEnd,
  unseen: boolean,
): void {
  for (const part of item.parts) {
    if (!isText(part) || part.unsure) continue;
    const field = part.type === 'refusal' ? 'refusal' : 'text';
    const { fragments } = part;
    if (part.text === null && fragments !== '' && end.settled) {
      const expected = `response.${part.type}.done with the joined deltas`;
      log.violate('deltas-join-to-text', end.index, expected, 'no such event');
    }
    const said = [...repeats(item, part, field, end)];
    const isWhole = fragments === '' && end.inFragments?.has(part.type) !== true;
    const joined = isWhole ? (said[0]?.text ?? '') : fragments;
    const from = isWhole ? `the text of ${said[0]?.as}` : 'the joined deltas';
    for (const { as, text, index } of said) {
      if (unseen ? text.endsWith(joined) : text === joined) continue;
      const expected = `${from}, ${JSON.stringify(joined)}, in ${as}`;
      log.violate('deltas-join-to-text', index, expected, JSON.stringify(text));
    }
  }
}

/** @param end null to compare the events only */
function* repeats(
  item: Item,
  part: Part,
  field: string,
  end: StreamEnd | null,
): Generator<Repeated> {
  if (part.text !== null) yield { as: `response.${part.type}.done`, ...part.text };
  if (part.final !== null) {
    const text = textAt(part.final.part, field);
    if (text !== null) yield { as: 'response.content_part.done', text, index: part.final.index };
  }
  if (item.final !== null) {
    const text = textOf(item.final.item, part.index, field);
    if (text !== null) yield { as: 'response.output_item.done', text, index: item.final.index };
  }
  if (end === null) return;
  const text = textOf(inFinalResponse(item, end), part.index, field);
  if (text !== null) yield { as: 'the final response', text, index: end.index };
}

/** The text, '' for a part that is absent, or null for content that cannot be read. */
function textOf(item: unknown, index: number, field: string): string | null {
  const content = at(item, 'content');
  if (!Array.isArray(content)) return null;
  const part = at(content, `[${index}]`);
  if (part === undefined) return '';
  return textAt(part, field);
}

/** Returns the position of an item in the final response, by its id. Null if it cannot be determined. */
function placeOf(item: Item, { settled, response }: StreamEnd): number | null {
  if (!settled || item.id === null || !Array.isArray(response?.output)) return null;
  const places = [...response.output.entries()].filter(([, one]) => at(one, 'id') === item.id);
  const [place] = places;
  return place !== undefined && places.length === 1 ? place[0] : null;
}

const missingItem: JsonObject = { content: [], arguments: '' };

/** The item in the response that ended the stream. Undefined if it cannot be determined. */
function inFinalResponse(item: Item, { settled, response }: StreamEnd): JsonObject | undefined {
  if (!settled || !Array.isArray(response?.output)) return undefined;
  const { output } = response;
  const own = (one: unknown): boolean => at(one, 'id') === item.id;
  const here: unknown = output[item.index];
  const placed: unknown = own(here) ? here : (output.find(own) ?? here);
  if (placed === undefined) return missingItem;
  return isObject(placed) ? placed : undefined;
}

/** Checks that a call keeps the id that its result must name. */
export function judgeCallId(
  log: ViolationLog<Rule>,
  item: Item,
  said: JsonObject | undefined,
  index: number,
): void {
  const callId = textAt(said, 'call_id') || null;
  if (callId === null || item.indexUnsure || textAt(said, 'type') !== item.type) return;
  item.callId ??= callId;
  if (callId === item.callId) return;
  log.violate('ids-constant', index, `a call with call_id ${item.callId}`, `call_id ${callId}`);
}

export function judgeFinalId(log: ViolationLog<Rule>, item: Item, end: StreamEnd): void {
  const final = inFinalResponse(item, end);
  const place = placeOf(item, end);
  if (place !== null && place !== item.index && !item.indexUnsure) {
    const expected = `item ${item.id} at output[${item.index}] of the final response`;
    log.violate('indexes-append', end.index, expected, `at output[${place}]`);
  }
  judgeCallId(log, item, final, end.index);
  const id = textAt(final, 'id');
  if (id === null || item.id === null || id === item.id) return;
  if (item.indexUnsure || textAt(final, 'type') !== item.type) return;
  log.violate('ids-constant', end.index, `item ${item.id} in the final response`, id);
}

/**
 * Checks that argument fragments join to one object, equal to the arguments of the `done` event, the finished item
 * and the final response. Without fragments these must be equal, because no document requires fragments. A call
 * that the end of the response cuts short may be an incomplete object.
 */
export function judgeArguments(
  log: ViolationLog<Rule>,
  item: Item,
  end: StreamEnd,
  unseen: boolean,
): void {
  const saidAt = item.arguments?.index ?? item.doneAt;
  if (item.type !== 'function_call' || item.unsure || saidAt === null) return;
  if (item.arguments === null && (item.fragments ?? '') !== '' && end.settled) {
    const expected = 'response.function_call_arguments.done with the joined fragments';
    log.violate('arguments-join', end.index, expected, 'no such event');
  }
  const later: Repeated[] = [];
  if (item.arguments !== null) {
    later.push({ as: 'response.function_call_arguments.done', ...item.arguments });
  }
  if (item.final !== null) {
    const text = textAt(item.final.item, 'arguments');
    if (text !== null) {
      later.push({ as: 'response.output_item.done', text, index: item.final.index });
    }
  }
  const final = textAt(inFinalResponse(item, end), 'arguments');
  if (final !== null) later.push({ as: 'the final response', text: final, index: end.index });
  const hasNone = item.fragments === null;
  const isWhole = hasNone && end.inFragments?.has(item.type) !== true;
  const joined = item.fragments ?? (isWhole ? (later[0]?.text ?? '') : '');
  const from = isWhole ? `the arguments of ${later[0]?.as}` : 'the joined fragments';
  for (const { as, text, index } of later) {
    if (hasNone && saysNothing(text) && saysNothing(joined)) continue;
    if (unseen ? text.endsWith(joined) : text === joined) continue;
    const expected = `${from}, ${JSON.stringify(joined)}, in ${as}`;
    log.violate('arguments-join', index, expected, JSON.stringify(text));
  }
  if (unseen || !end.completed || textAt(item.final?.item, 'status') === 'incomplete') return;
  if (isObject(parsed(joined)) || (hasNone && saysNothing(joined))) return;
  const expected = isWhole ? 'one JSON object' : 'fragments that join to one JSON object';
  log.violate('arguments-join', saidAt, expected, joined);
}

/** True for empty arguments, which have several notations. */
function saysNothing(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text);
}
