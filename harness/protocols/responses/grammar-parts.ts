import { isObject, type JsonObject, textAt } from '../../core/json-value.ts';
import type { ViolationLog } from '../grammar.ts';
import { type Item, indexIn, isText, newPart, type Part } from './grammar-item.ts';

const rule = 'parts-open-and-close';

/**
 * The part of the Responses grammar that follows the content parts of items. `unseen` says of each
 * event that the beginning of its item was, or may have been, before what is read.
 */
export class ResponsesParts {
  readonly #log: ViolationLog;

  constructor(log: ViolationLog) {
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
    // Others may have been added before what is read.
    const wrong = unseen ? claimed < next : claimed !== next;
    if (wrong) {
      const expected = `content_index ${next} on what is added`;
      this.#log.violate('indexes-append', index, expected, `content_index ${claimed}`);
    }
    item.parts.push(newPart(wrong ? next : claimed, type));
  }

  /** The part that an event belongs to. @param type what the event says; null when it does not */
  #find(item: Item, body: JsonObject, type: string | null, index: number, unseen: boolean): Part {
    const place = indexIn(body, 'content_index');
    const open = item.parts.findLast((part) => !part.closed);
    const found =
      (place === null ? open : item.parts.find((part) => part.index === place)) ??
      // Its index was wrong when it was added, and that is told.
      (this.#log.isBroken('indexes-append') ? open : undefined);
    if (found === undefined) {
      if (!unseen && (type === 'output_text' || type === 'refusal')) {
        const what = `${textAt(body, 'type')} of part ${place}, which was not added`;
        this.#log.violate(rule, index, 'response.content_part.added before its events', what);
      }
      const adopted = { ...newPart(place ?? item.parts.length, type), adopted: true };
      item.parts.push(adopted);
      return adopted;
    }
    if (found.type !== null && type !== null && found.type !== type) {
      const what = `${textAt(body, 'type')} for a part of type ${found.type}`;
      this.#log.violate(rule, index, `events of ${found.type} for that part`, what);
    }
    found.type ??= type;
    return found;
  }

  /** A delta, or the whole text, of a part. */
  text(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const event = `${body.type}`;
    const kind = event.startsWith('response.refusal.') ? 'refusal' : 'output_text';
    const isDelta = event.endsWith('.delta');
    const part = this.#find(item, body, kind, index, unseen);
    if (item.doneAt === null && (part.closed || part.text !== null)) {
      this.#log.violate(rule, index, 'no event of a part or text after it is done', event);
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
   * The item is done: a part that is open still is told, and forgiven what comes of it later.
   *
   * @param lost an event could not be read, which may have closed it
   */
  close(item: Item, index: number, lost: boolean): void {
    for (const part of item.parts) {
      if (part.closed) continue;
      part.forgiven = true;
      if (!isText(part) || lost) continue;
      const expected = 'response.content_part.done before its item is done';
      this.#log.violate(rule, index, expected, `part ${part.index} is open`);
    }
  }

  #twice(index: number, what: string): void {
    this.#log.violate(rule, index, 'each part added once and done once', what);
  }
}
