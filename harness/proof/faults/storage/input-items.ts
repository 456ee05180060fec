import {
  type Context,
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  Refusal,
  type StoredResponse,
} from '../../../reference/index.ts';
import { madeBy } from '../../decisions.ts';
import { changed, dropping, set, setting } from '../../editing.ts';
import { bodies, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

// List of the input items of a stored response.

function listedBy(query: (asked: URLSearchParams) => void): Defect['override'] {
  return handling('responses.input-items', (handle) => (call, key) => {
    const asked = new URLSearchParams(call.query);
    query(asked);
    return handle({ ...call, query: asked }, key);
  });
}

function items(change: (body: JsonObject, context: Context) => JsonObject): Defect['override'] {
  return bodies('responses.input-items', change);
}

const inputItemsFaults: readonly Fault[] = planted({
  'store.input-items-missing': handling('responses.input-items', () => ({ path }) => {
    throw new Refusal('unknown-path', `Unknown request URL: GET ${path}.`);
  }),
  'store.input-items-without-text': items((body) =>
    changed(body, 'data', (data) =>
      (isArray(data) ? data : []).map((item) => (isObject(item) ? set(item, 'content', []) : item)),
    ),
  ),
  'store.input-items-empty-of-result': madeBy(
    ({ body }) => JSON.stringify(body.input ?? '').includes('function_call_output'),
    (isOne) =>
      items((body, { record }) =>
        record !== null && isOne(record) ? { ...body, data: [], has_more: false } : body,
      ),
  ),
  'store.input-items-empty-of-third-turn': items((body, { call, record }) => {
    const parentOf = (one: StoredResponse | null | undefined) =>
      call.gateway.store.peek(one?.turn?.parts.request.previousResponseId ?? '');
    return parentOf(parentOf(record)) == null ? body : { ...body, data: [], has_more: false };
  }),
  'store.input-items-are-the-output': items((body, { record }) =>
    set(body, 'data', record?.turn?.output() ?? []),
  ),
  'store.input-items-and-the-output': items((body, { record }) =>
    changed(body, 'data', (data) => [
      ...(isArray(data) ? data : []),
      ...(record?.turn?.output() ?? []),
    ]),
  ),
  'store.input-items-and-the-output-anew': items((body, { record }) =>
    changed(body, 'data', (data) => [
      ...(isArray(data) ? data : []),
      ...(record?.turn?.output() ?? []).map((item) => set(item, 'id', `${item.id}_input`)),
    ]),
  ),
  'store.input-items-and-the-empty-output': items((body, { record }) =>
    changed(body, 'data', (data) => [
      ...(isArray(data) ? data : []),
      ...(record?.turn?.output() ?? []).map(setting('content', [])),
    ]),
  ),
  'store.input-items-elsewhere': items((body) => ({ ...body, data: [], items: body.data ?? [] })),
  'store.input-items-no-first-id': items(dropping('first_id')),
  'store.input-items-wrong-object': items(setting('object', 'response.input_items')),
  'store.input-items-limit-ignored': listedBy((query) => query.delete('limit')),
  'store.input-items-order-ignored': listedBy((query) => query.delete('order')),
  'store.input-items-oldest-first': listedBy((query) => {
    if (!query.has('order')) query.set('order', 'asc');
  }),
  'store.input-items-ends-swapped': items(({ first_id = null, last_id = null, ...body }) => ({
    ...body,
    first_id: last_id,
    last_id: first_id,
  })),
  'store.input-items-after-ignored': listedBy((query) => query.delete('after')),
  'store.input-items-one-page': items(setting('has_more', false)),
});

// Input items that differ from the text that was sent.

function itemsBy(change: (items: readonly Json[]) => readonly Json[]): Defect['override'] {
  return bodies('responses.input-items', (body) =>
    changed(body, 'data', (data) => (isArray(data) ? change(data) : data)),
  );
}

/** Rewrites the text of each part. */
function textsBy(change: (text: string) => string): Defect['override'] {
  return itemsBy((items) => items.map(rewritten));

  function rewritten(value: Json): Json {
    if (!isObject(value)) return value;
    const { content, text } = value;
    if (isArray(content)) return set(value, 'content', content.map(rewritten));
    return typeof text === 'string' ? set(value, 'text', change(text)) : value;
  }
}

/** Lists the messages of one role under another. */
function roleAs(role: string, other: string): Defect['override'] {
  return itemsBy((items) =>
    items.map((item) => (isObject(item) && item.role === role ? set(item, 'role', other) : item)),
  );
}

const roleFaults: readonly Fault[] = planted({
  'kept-input.answers-as-questions': roleAs('assistant', 'user'),
  'kept-input.told-by-the-user': roleAs('developer', 'user'),
});

const keptInputFaults: readonly Fault[] = [
  ...planted({
    'kept-input.ascii-only': textsBy((text) => text.replace(/[^\n\t -~]/g, '?')),
    'kept-input.no-emoji': textsBy((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
    'kept-input.misread': textsBy((text) => Buffer.from(text, 'utf8').toString('latin1')),
    'kept-input.escaped': textsBy((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    'kept-input.unescaped': textsBy((text) => text.replaceAll('&amp;', '&')),
    'kept-input.on-one-line': textsBy((text) => text.replace(/\s+/g, ' ')),
    'kept-input.shortened': textsBy((text) => text.slice(0, 1_000)),
    'kept-input.last-item-only': itemsBy((items) => items.slice(0, 1)),
    'kept-input.messages-only': itemsBy((items) =>
      items.filter((item) => isObject(item) && item.type !== 'function_call_output'),
    ),
    'kept-input.results-of-other-calls': itemsBy((items) =>
      items.map((item) =>
        isObject(item) && typeof item.call_id === 'string'
          ? set(item, 'call_id', `${item.call_id}0`)
          : item,
      ),
    ),
    'kept-input.first-part-only': itemsBy((items) =>
      items.map((item) =>
        isObject(item) && isArray(item.content)
          ? set(item, 'content', item.content.slice(0, 1))
          : item,
      ),
    ),
  }),
];

export const storageInputItemsFaults: readonly Fault[] = [
  ...inputItemsFaults,
  ...keptInputFaults,
  ...roleFaults,
];
