import { at, isInteger, isObject, type JsonObject, listAt, textAt } from '../../core/index.ts';
import type { ViolationLog } from '../violation-log.ts';
import { textOfItem } from './content.ts';
import {
  type Item,
  isText,
  judgeArguments,
  judgeCallId,
  judgeFinalId,
  judgeText,
  newItem,
  newPart,
  type Part,
  type StreamEnd,
  textOfPart,
} from './grammar-item.ts';
import type { Rule } from './rules.ts';

const itemsOpenAndClose = 'items-open-and-close';

/** The part of the Responses grammar that follows items, their parts and their text. */
export class ResponsesItems {
  /** True after an unreadable event, which may have added or closed an item. */
  lost = false;
  /** True for a tail, in which earlier items may exist. */
  readonly #resumed: boolean;
  readonly #log: ViolationLog<Rule>;
  readonly #parts: ResponsesParts;
  readonly #items: Item[] = [];

  constructor(log: ViolationLog<Rule>, resumed: boolean) {
    this.#log = log;
    this.#parts = new ResponsesParts(log);
    this.#resumed = resumed;
  }

  read(type: string, body: JsonObject, index: number): void {
    switch (type) {
      case 'response.output_item.added':
        this.#addItem(body, index);
        return;
      case 'response.output_item.done':
        this.#finishItem(body, index);
        return;
      case 'response.content_part.added':
        this.#part('add', body, index);
        return;
      case 'response.content_part.done':
        this.#part('finish', body, index);
        return;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.output_text.done':
      case 'response.refusal.done':
        this.#part('text', body, index);
        return;
    }
    if (!('item_id' in body) && !('output_index' in body)) return;
    const item = this.#find(textAt(body, 'item_id'), body, index);
    if (item.doneAt !== null) this.#afterDone(body, index);
    if (!type.startsWith('response.function_call_arguments.')) return;
    const text = textAt(body, type.endsWith('.delta') ? 'delta' : 'arguments');
    if (text === null) item.unsure = true;
    else if (type.endsWith('.delta')) this.#fragment(item, text, index);
    else item.arguments = { text, index };
  }

  #part(step: 'add' | 'finish' | 'text', body: JsonObject, index: number): void {
    const item = this.#find(textAt(body, 'item_id'), body, index);
    this.#parts[step](item, body, index, this.#isUnseen(item));
    // A separate rule reports a part that its item left open.
    const forgiven = step === 'finish' && item.parts.some((part) => part.forgiven);
    if (item.doneAt !== null && !forgiven) this.#afterDone(body, index);
  }

  #fragment(item: Item, text: string, index: number): void {
    if (item.arguments !== null && item.doneAt === null) {
      const expected = 'no fragment after response.function_call_arguments.done';
      this.#log.violate('arguments-join', index, expected, JSON.stringify(text));
    }
    item.fragments = (item.fragments ?? '') + text;
  }

  #addItem(body: JsonObject, index: number): void {
    const id = textAt(body, 'item.id') || null;
    const type = textAt(body, 'item.type');
    const next = Math.max(-1, ...this.#items.map((item) => item.index)) + 1;
    const claimed = indexIn(body, 'output_index') ?? next;
    const known = id === null ? undefined : this.#items.find((item) => item.id === id);
    const placed = this.#items.find((item) => item.index === claimed);
    if (known?.index === claimed) {
      this.#twice(index, `item ${id} was there before`);
      known.type ??= type;
      return;
    }
    if (known !== undefined) {
      this.#log.violate('ids-constant', index, 'an id of its own for each item', `${id} again`);
    } else if (placed?.adopted === true && !this.#resumed) {
      placed.id ??= id;
      placed.type ??= type;
      return;
    }
    // Earlier items may have been added outside of the events that are read.
    const wrong = this.lost || this.#resumed ? claimed < next : claimed !== next;
    if (wrong) {
      const expected = `output_index ${next} on what is added`;
      this.#log.violate('indexes-append', index, expected, `output_index ${claimed}`);
    }
    const item = { ...newItem(wrong ? next : claimed, id, type), indexUnsure: wrong };
    item.callId = textAt(body, 'item.call_id') || null;
    this.#items.push(item);
  }

  #afterDone(body: JsonObject, index: number): void {
    this.#log.violate(
      itemsOpenAndClose,
      index,
      'no event of an item after it is done',
      `${body.type}`,
    );
  }

  /** The item that an event belongs to. @param named id in the event. An empty id counts as none */
  #find(named: string | null, body: JsonObject, index: number): Item {
    const id = named || null;
    const place = indexIn(body, 'output_index');
    const byId = id === null ? undefined : this.#items.findLast((item) => item.id === id);
    const byIndex = this.#items.find((item) => item.index === place);
    const found = byId ?? byIndex;
    if (found !== undefined) {
      const elsewhere = byId !== undefined && place !== null && byId.index !== place;
      const renamed = byId === undefined && id !== null && found.id !== null;
      if ((elsewhere && !found.indexUnsure) || renamed) {
        const expected = `item ${found.id} at output_index ${found.index}`;
        this.#log.violate('ids-constant', index, expected, `${id} at output_index ${place}`);
      }
      found.id ??= id;
      return found;
    }
    const last = this.#items.findLast((item) => item.doneAt === null) ?? this.#items.at(-1);
    // Without id and index, the shape is broken and reported. The event most likely belongs to the open item.
    if (id === null && place === null && last !== undefined) return last;
    if (!this.lost && !this.#resumed) {
      const what = `${textAt(body, 'type')} of item ${id ?? place}, which was not added`;
      this.#log.violate(
        itemsOpenAndClose,
        index,
        'response.output_item.added before its events',
        what,
      );
    }
    const adopted = { ...newItem(place ?? this.#items.length, id, null), adopted: true };
    this.#items.push(adopted);
    return adopted;
  }

  #finishItem(body: JsonObject, index: number): void {
    const item = this.#find(textAt(body, 'item.id'), body, index);
    const type = textAt(body, 'item.type');
    if (item.type !== null && type !== null && type !== item.type) {
      this.#log.violate('ids-constant', index, `an item of type ${item.type}`, `type ${type}`);
    }
    item.type ??= type;
    if (isObject(body.item)) judgeCallId(this.#log, item, body.item, index);
    if (item.doneAt !== null) this.#twice(index, `item ${item.id} was done before`);
    item.doneAt ??= index;
    item.final ??= isObject(body.item) ? { item: body.item, index } : null;
    this.#parts.close(item, index, this.lost);
  }

  finish(ended: StreamEnd): void {
    if (this.lost) return;
    const end = { ...ended, inFragments: this.#inFragments() };
    for (const item of this.#items) {
      if (end.settled && item.doneAt === null) {
        const expected = `response.output_item.done for item ${item.id}`;
        this.#log.violate(
          itemsOpenAndClose,
          end.index,
          expected,
          'the end of the response before it',
        );
      }
      judgeFinalId(this.#log, item, end);
      judgeText(this.#log, item, end, this.#isUnseen(item));
      judgeArguments(this.#log, item, end, this.#isUnseen(item));
    }
    this.#judgeWhole(end);
  }

  #inFragments(): ReadonlySet<string | null> {
    const parts = this.#items.flatMap((item) => item.parts);
    const calls = this.#items.filter(({ fragments }) => (fragments ?? '') !== '');
    const texts = parts.filter(({ fragments }) => fragments !== '');
    return new Set([...texts, ...calls].map(({ type }) => type));
  }

  /** Checks that the final response has the same text as the events. */
  #judgeWhole({ settled, response, index }: StreamEnd): void {
    if (!settled || this.#resumed || !Array.isArray(response?.output)) return;
    if (this.#items.some(({ parts }) => parts.some(({ unsure }) => unsure))) return;
    const final = response.output
      .filter((item) => at(item, 'type') === 'message')
      .flatMap((item) => listAt(item, 'content'))
      .filter((part) => at(part, 'type') === 'output_text')
      .map((part) => textAt(part, 'text'))
      .join('');
    const text = this.text();
    // If no event has text, the final response provides it all.
    if (text === '' || final === text) return;
    const expected = `the text of the events in the final response: ${JSON.stringify(text)}`;
    this.#log.violate('deltas-join-to-text', index, expected, JSON.stringify(final));
  }

  /** True if the start of an item precedes the events that are read, or may do so. */
  #isUnseen(item: Item): boolean {
    return this.lost || (this.#resumed && item.adopted);
  }

  #twice(index: number, what: string): void {
    this.#log.violate(itemsOpenAndClose, index, 'each item added once and done once', what);
  }

  text(): string {
    return this.#items
      .toSorted((a, b) => a.index - b.index)
      .flatMap((item) =>
        item.parts.length === 0
          ? textOfItem(item.final?.item)
          : item.parts.map((part) => (part.type === 'output_text' ? textOfPart(part, item) : '')),
      )
      .join('');
  }

  /** The id of each item by its index. Items without an id are left out. */
  ids(): ReadonlyMap<number, string> {
    return new Map(this.#items.flatMap(({ index, id }) => (id === null ? [] : [[index, id]])));
  }
}

const partsOpenAndClose = 'parts-open-and-close';

/**
 * The part of the Responses grammar that follows the content parts of items. In its methods, `unseen` is true if
 * the start of the event's item precedes the events that are read, or may do so.
 */
export class ResponsesParts {
  readonly #log: ViolationLog<Rule>;

  constructor(log: ViolationLog<Rule>) {
    this.#log = log;
  }

  add(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const type = textAt(body, 'part.type');
    const next = Math.max(-1, ...item.parts.map((part) => part.index)) + 1;
    const claimed = indexIn(body, 'content_index') ?? next;
    const placed = item.parts.find((part) => part.index === claimed);
    if (placed?.adopted === true || placed?.closed === false) {
      this.#twice(index, `part ${claimed} was there before`);
      return;
    }
    // Earlier parts may have been added outside of the events that are read.
    const wrong = unseen ? claimed < next : claimed !== next;
    if (wrong) {
      const expected = `content_index ${next} on what is added`;
      this.#log.violate('indexes-append', index, expected, `content_index ${claimed}`);
    }
    item.parts.push(newPart(wrong ? next : claimed, type));
  }

  /** The part that an event belongs to. @param type type that the event implies, or null */
  #find(item: Item, body: JsonObject, type: string | null, index: number, unseen: boolean): Part {
    const place = indexIn(body, 'content_index');
    const open = item.parts.findLast((part) => !part.closed);
    const found =
      (place === null ? open : item.parts.find((part) => part.index === place)) ??
      // The index was wrong when the part was added, which is reported.
      (this.#log.isBroken('indexes-append') ? open : undefined);
    if (found === undefined) {
      if (!unseen && (type === 'output_text' || type === 'refusal')) {
        const what = `${textAt(body, 'type')} of part ${place}, which was not added`;
        this.#log.violate(
          partsOpenAndClose,
          index,
          'response.content_part.added before its events',
          what,
        );
      }
      const adopted = { ...newPart(place ?? item.parts.length, type), adopted: true };
      item.parts.push(adopted);
      return adopted;
    }
    if (found.type !== null && type !== null && found.type !== type) {
      const what = `${textAt(body, 'type')} for a part of type ${found.type}`;
      this.#log.violate(partsOpenAndClose, index, `events of ${found.type} for that part`, what);
    }
    found.type ??= type;
    return found;
  }

  /** Adds a delta, or the whole text, of a part. */
  text(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const event = `${body.type}`;
    const kind = event.startsWith('response.refusal.') ? 'refusal' : 'output_text';
    const isDelta = event.endsWith('.delta');
    const part = this.#find(item, body, kind, index, unseen);
    if (item.doneAt === null && (part.closed || part.text !== null)) {
      this.#log.violate(
        partsOpenAndClose,
        index,
        'no event of a part or text after it is done',
        event,
      );
    }
    const text = textAt(body, isDelta ? 'delta' : kind === 'refusal' ? 'refusal' : 'text');
    if (text === null) part.unsure = true;
    else if (isDelta) part.fragments += text;
    else part.text ??= { text, index };
  }

  finish(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const part = this.#find(item, body, textAt(body, 'part.type'), index, unseen);
    if (item.doneAt === null && part.closed) {
      this.#twice(index, `part ${part.index} was done before`);
    }
    part.closed = true;
    part.final ??= isObject(body.part) ? { part: body.part, index } : null;
  }

  /**
   * Closes the parts of a finished item: an open part is reported once, and its later events are ignored.
   *
   * @param lost true after an unreadable event, which may have closed the part
   */
  close(item: Item, index: number, lost: boolean): void {
    for (const part of item.parts) {
      if (part.closed) continue;
      part.forgiven = true;
      if (!isText(part) || lost) continue;
      const expected = 'response.content_part.done before its item is done';
      this.#log.violate(partsOpenAndClose, index, expected, `part ${part.index} is open`);
    }
  }

  #twice(index: number, what: string): void {
    this.#log.violate(partsOpenAndClose, index, 'each part added once and done once', what);
  }
}

/** Returns an index of an event, or null if it is not valid. */
export function indexIn(body: JsonObject, name: string): number | null {
  const value = body[name];
  return isInteger(value) && value >= 0 ? value : null;
}
