import type { Docket, ToolCall } from './grammar.ts';
import { judgeArguments, judgeFinalId, judgeText } from './grammar-responses-text.ts';
import { at, isObject, type JsonObject, listAt, textAt } from './json-value.ts';

export interface StreamedItem {
  readonly id: string | null;
  readonly type: string | null;
  readonly outputIndex: number;
}

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
  final: JsonObject | null;
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
  /** Closed by its item, which is told already. */
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

const itemRule = 'items-open-and-close';
const partRule = 'parts-open-and-close';

/** The part of the Responses grammar that follows items, their parts and their text. */
export class ResponsesItems {
  /** An event was lost or a tail is read: what was never added may be of before. */
  tolerant: boolean;
  readonly #resumed: boolean;
  readonly #docket: Docket;
  readonly #items: Item[] = [];

  constructor(docket: Docket, resumed: boolean) {
    this.#docket = docket;
    this.#resumed = resumed;
    this.tolerant = resumed;
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
        this.#addPart(this.#open(body, index), body, index);
        return;
      case 'response.content_part.done':
        this.#finishPart(body, index);
        return;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.output_text.done':
      case 'response.refusal.done':
        this.#text(type, body, index);
        return;
    }
    if (!('item_id' in body) && !('output_index' in body)) return;
    const item = this.#open(body, index);
    if (!type.startsWith('response.function_call_arguments.')) return;
    const text = textAt(body, type.endsWith('.delta') ? 'delta' : 'arguments');
    if (text === null) item.unsure = true;
    else if (type.endsWith('.delta')) this.#fragment(item, text, index);
    else item.arguments = { text, index };
  }

  #fragment(item: Item, text: string, index: number): void {
    if (item.arguments !== null && item.doneAt === null) {
      const expected = 'no fragment after response.function_call_arguments.done';
      this.#docket.broke('arguments-join', index, expected, JSON.stringify(text));
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
    if (known !== undefined && known.index === claimed) {
      if (!known.adopted) this.#twice(itemRule, index, `item ${id} was added before`);
      known.adopted = false;
      known.type ??= type;
      return;
    }
    if (known !== undefined) {
      this.#docket.broke('ids-constant', index, 'an id of its own for each item', `${id} again`);
    } else if (placed?.adopted === true && !this.#resumed) {
      placed.adopted = false;
      placed.id ??= id;
      placed.type ??= type;
      return;
    }
    const begins = this.tolerant && this.#items.length === 0;
    const wrong = claimed !== next && !begins;
    if (wrong && !this.tolerant) {
      const expected = `output_index ${next} on what is added`;
      this.#docket.broke('indexes-append', index, expected, `output_index ${claimed}`);
    }
    const place = wrong ? next : claimed;
    this.#items.push({ ...newItem(place, id, type), indexUnsure: wrong || known !== undefined });
  }

  /** The item that an event belongs to, which must be open. */
  #open(body: JsonObject, index: number): Item {
    const item = this.#find(textAt(body, 'item_id') || null, body, index);
    if (item.doneAt !== null) this.#afterDone(body, index);
    return item;
  }

  #afterDone(body: JsonObject, index: number): void {
    const what = textAt(body, 'type') ?? 'an event';
    this.#docket.broke(itemRule, index, 'no event of an item after it is done', what);
  }

  #find(id: string | null, body: JsonObject, index: number): Item {
    const place = indexIn(body, 'output_index');
    const byId = id === null ? undefined : this.#items.findLast((item) => item.id === id);
    const byIndex = place === null ? undefined : this.#items.find((item) => item.index === place);
    const found = byId ?? byIndex;
    if (found !== undefined) {
      const elsewhere = byId !== undefined && place !== null && byId.index !== place;
      const renamed = byId === undefined && id !== null && found.id !== null;
      if ((elsewhere && !found.indexUnsure) || renamed) {
        const expected = `item ${found.id} at output_index ${found.index}`;
        this.#docket.broke('ids-constant', index, expected, `${id} at output_index ${place}`);
      }
      found.id ??= id;
      return found;
    }
    const last = this.#items.findLast((item) => item.doneAt === null) ?? this.#items.at(-1);
    // Without id and index its shape is broken, and told; the item is most likely the open one.
    if (id === null && place === null && last !== undefined) return last;
    if (!this.tolerant) {
      const what = `${textAt(body, 'type')} of item ${id ?? place}, which was not added`;
      this.#docket.broke(itemRule, index, 'response.output_item.added before its events', what);
    }
    const adopted = { ...newItem(place ?? this.#items.length, id, null), adopted: true };
    this.#items.push(adopted);
    return adopted;
  }

  #finishItem(body: JsonObject, index: number): void {
    const item = this.#find(textAt(body, 'item.id') || null, body, index);
    const type = textAt(body, 'item.type');
    if (item.type !== null && type !== null && type !== item.type) {
      this.#docket.broke('ids-constant', index, `an item of type ${item.type}`, `type ${type}`);
    }
    item.type ??= type;
    if (item.doneAt !== null) this.#twice(itemRule, index, `item ${item.id} was done before`);
    item.doneAt ??= index;
    item.final ??= isObject(body.item) ? body.item : null;
    for (const part of item.parts) {
      if (part.closed) continue;
      if (isText(part) && !this.#isUnseen(item)) {
        const expected = 'response.content_part.done before its item is done';
        this.#docket.broke(partRule, index, expected, `part ${part.index} is open`);
      }
      part.closed = true;
      part.forgiven = true;
    }
  }

  #addPart(item: Item, body: JsonObject, index: number): void {
    const type = textAt(body, 'part.type');
    const next = Math.max(-1, ...item.parts.map((part) => part.index)) + 1;
    const claimed = indexIn(body, 'content_index') ?? next;
    const placed = item.parts.find((part) => part.index === claimed);
    if (placed?.adopted === true) {
      placed.adopted = false;
      return;
    }
    if (placed !== undefined && !placed.closed) {
      this.#twice(partRule, index, `part ${claimed} was added before`);
      return;
    }
    const begins = this.#isUnseen(item) && item.parts.length === 0;
    if (claimed !== next && !begins && !this.tolerant) {
      const expected = `content_index ${next} on what is added`;
      this.#docket.broke('indexes-append', index, expected, `content_index ${claimed}`);
    }
    item.parts.push(newPart(begins ? claimed : next, type));
  }

  #findPart(item: Item, body: JsonObject, type: string, index: number): Part {
    const place = indexIn(body, 'content_index');
    const open = item.parts.findLast((part) => !part.closed);
    const found =
      (place === null ? open : item.parts.find((part) => part.index === place)) ??
      // Its index was wrong when it was added, and that is told.
      (this.#docket.isBroken('indexes-append') ? open : undefined);
    if (found === undefined) {
      if (!this.#isUnseen(item) && (type === 'output_text' || type === 'refusal')) {
        const what = `${textAt(body, 'type')} of part ${place}, which was not added`;
        this.#docket.broke(partRule, index, 'response.content_part.added before its events', what);
      }
      const adopted = { ...newPart(place ?? item.parts.length, type), adopted: true };
      item.parts.push(adopted);
      return adopted;
    }
    if (found.type !== null && found.type !== type) {
      const what = `${textAt(body, 'type')} for a part of type ${found.type}`;
      this.#docket.broke(partRule, index, `events of ${found.type} for that part`, what);
    }
    found.type ??= type;
    return found;
  }

  #text(event: string, body: JsonObject, index: number): void {
    const item = this.#open(body, index);
    const [, kind = '', step] = event.split('.');
    const part = this.#findPart(item, body, kind, index);
    if (item.doneAt === null && ((part.closed && !part.forgiven) || part.text !== null)) {
      this.#docket.broke(partRule, index, 'no event of a part or text after it is done', event);
    }
    const text = textAt(body, step === 'delta' ? 'delta' : kind === 'refusal' ? 'refusal' : 'text');
    if (text === null) part.unsure = true;
    else if (step === 'delta') part.fragments += text;
    else part.text ??= { text, index };
  }

  #finishPart(body: JsonObject, index: number): void {
    const item = this.#find(textAt(body, 'item_id') || null, body, index);
    const type = textAt(body, 'part.type');
    const place = indexIn(body, 'content_index');
    const placed = item.parts.find((part) => part.index === place);
    const part = this.#findPart(item, body, type ?? placed?.type ?? 'output_text', index);
    if (item.doneAt !== null && !part.forgiven) this.#afterDone(body, index);
    else if (part.closed && !part.forgiven) {
      this.#twice(partRule, index, `part ${part.index} was done before`);
    }
    part.closed = true;
    part.final ??= isObject(body.part) ? { part: body.part, index } : null;
  }

  finish(end: StreamEnd): void {
    for (const item of this.#items) {
      if (end.settled && item.doneAt === null && !this.#isUnseen(item)) {
        const expected = `response.output_item.done for item ${item.id}`;
        this.#docket.broke(itemRule, end.index, expected, 'the end of the response before it');
      }
    }
    if (this.tolerant && !this.#resumed) return;
    for (const item of this.#items) {
      judgeFinalId(this.#docket, item, end);
      judgeText(this.#docket, item, end, this.#isUnseen(item));
      judgeArguments(this.#docket, item, end, this.#isUnseen(item));
    }
    this.#judgeWhole(end);
  }

  /** What the final response says beyond what was streamed. */
  #judgeWhole({ settled, response, index }: StreamEnd): void {
    if (!settled || this.#resumed || !Array.isArray(response?.output)) return;
    if (this.#items.some(({ parts }) => parts.some(({ unsure }) => unsure))) return;
    const texts = response.output.flatMap((item) =>
      at(item, 'type') === 'message' ? listAt(item, 'content') : [],
    );
    const final = texts.map((part) => textAt(part, 'text') ?? '').join('');
    if (final === this.text()) return;
    const expected = `the text of the deltas in the final response: ${JSON.stringify(this.text())}`;
    this.#docket.broke('deltas-make-the-text', index, expected, JSON.stringify(final));
  }

  /** True when the beginning of an item was, or may have been, before what is read. */
  #isUnseen(item: Item): boolean {
    return this.tolerant && (item.adopted || !this.#resumed);
  }

  #twice(rule: string, index: number, what: string): void {
    const noun = rule === itemRule ? 'each item' : 'each part';
    this.#docket.broke(rule, index, `${noun} added once and done once`, what);
  }

  text(): string {
    return this.#inOrder()
      .flatMap(({ parts }) => parts)
      .map((part) => (part.type === 'output_text' ? part.fragments : ''))
      .join('');
  }

  seen(): readonly StreamedItem[] {
    return this.#inOrder().map(({ id, type, index }) => ({ id, type, outputIndex: index }));
  }

  toolCalls(): readonly ToolCall[] {
    return this.#inOrder()
      .filter(({ type }) => type === 'function_call')
      .map(({ final, fragments }) => ({
        name: textAt(final, 'name'),
        id: textAt(final, 'call_id'),
        arguments: textAt(final, 'arguments') ?? fragments ?? '',
      }));
  }

  #inOrder(): readonly Item[] {
    return this.#items.toSorted((a, b) => a.index - b.index);
  }
}

/** The parts that every source has events for. */
export function isText({ type }: Part): boolean {
  return type === 'output_text' || type === 'refusal';
}

function indexIn(body: JsonObject, name: string): number | null {
  const value = body[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function newItem(index: number, id: string | null, type: string | null): Item {
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

function newPart(index: number, type: string | null): Part {
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
