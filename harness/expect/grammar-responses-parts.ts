import type { Docket } from './grammar.ts';
import { type Item, indexIn, isText, newPart, type Part } from './grammar-responses-item.ts';
import { isObject, type JsonObject, textAt } from './json-value.ts';

const rule = 'parts-open-and-close';

/**
 * The part of the Responses grammar that follows the content parts of items. `unseen` says of each
 * event that the beginning of its item was, or may have been, before what is read.
 */
export class ResponsesParts {
  readonly #docket: Docket;

  constructor(docket: Docket) {
    this.#docket = docket;
  }

  add(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const type = textAt(body, 'part.type');
    const next = Math.max(-1, ...item.parts.map((part) => part.index)) + 1;
    const claimed = indexIn(body, 'content_index') ?? next;
    const placed = item.parts.find((part) => part.index === claimed);
    if (placed?.adopted === true) {
      placed.adopted = false;
      return;
    }
    if (placed !== undefined && !placed.closed) {
      this.#twice(index, `part ${claimed} was added before`);
      return;
    }
    if (claimed !== next && !unseen) {
      const expected = `content_index ${next} on what is added`;
      this.#docket.broke('indexes-append', index, expected, `content_index ${claimed}`);
    }
    item.parts.push(newPart(unseen ? claimed : next, type));
  }

  #find(item: Item, body: JsonObject, type: string, index: number, unseen: boolean): Part {
    const place = indexIn(body, 'content_index');
    const open = item.parts.findLast((part) => !part.closed);
    const found =
      (place === null ? open : item.parts.find((part) => part.index === place)) ??
      // Its index was wrong when it was added, and that is told.
      (this.#docket.isBroken('indexes-append') ? open : undefined);
    if (found === undefined) {
      if (!unseen && (type === 'output_text' || type === 'refusal')) {
        const what = `${textAt(body, 'type')} of part ${place}, which was not added`;
        this.#docket.broke(rule, index, 'response.content_part.added before its events', what);
      }
      const adopted = { ...newPart(place ?? item.parts.length, type), adopted: true };
      item.parts.push(adopted);
      return adopted;
    }
    if (found.type !== null && found.type !== type) {
      const what = `${textAt(body, 'type')} for a part of type ${found.type}`;
      this.#docket.broke(rule, index, `events of ${found.type} for that part`, what);
    }
    found.type ??= type;
    return found;
  }

  /** A delta, or the whole text, of a part. */
  text(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const event = textAt(body, 'type') ?? '';
    const [, kind = '', step] = event.split('.');
    const part = this.#find(item, body, kind, index, unseen);
    if (item.doneAt === null && ((part.closed && !part.forgiven) || part.text !== null)) {
      this.#docket.broke(rule, index, 'no event of a part or text after it is done', event);
    }
    const text = textAt(body, step === 'delta' ? 'delta' : kind === 'refusal' ? 'refusal' : 'text');
    if (text === null) part.unsure = true;
    else if (step === 'delta') part.fragments += text;
    else part.text ??= { text, index };
  }

  finish(item: Item, body: JsonObject, index: number, unseen: boolean): void {
    const type = textAt(body, 'part.type');
    const place = indexIn(body, 'content_index');
    const placed = item.parts.find((part) => part.index === place);
    const kind = type ?? placed?.type ?? 'output_text';
    const part = this.#find(item, body, kind, index, unseen);
    if (item.doneAt === null && part.closed && !part.forgiven) {
      this.#twice(index, `part ${part.index} was done before`);
    }
    part.closed = true;
    part.final ??= isObject(body.part) ? { part: body.part, index } : null;
  }

  /** The item is done: a part that is open still is told, once, and counts as closed. */
  close(item: Item, index: number, unseen: boolean): void {
    for (const part of item.parts) {
      if (part.closed) continue;
      if (isText(part) && !unseen) {
        const expected = 'response.content_part.done before its item is done';
        this.#docket.broke(rule, index, expected, `part ${part.index} is open`);
      }
      part.closed = true;
      part.forgiven = true;
    }
  }

  #twice(index: number, what: string): void {
    this.#docket.broke(rule, index, 'each part added once and done once', what);
  }
}
