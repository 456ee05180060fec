import {
  type Context,
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  Refusal,
} from '../../../reference/index.ts';
import { changed, set, without } from '../../editing.ts';
import { bodies, handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// The list of the input items of a stored response.

/** Changes the query of the list. */
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

const inputItemsFaults: readonly Fault[] = [
  {
    id: 'store.input-items-missing',
    what: 'There is no list of input items.',
    breaks: ['storage/responses.input-items-served'],
    override: handling('responses.input-items', () => ({ path }) => {
      throw new Refusal('unknown-path', `Unknown request URL: GET ${path}.`);
    }),
  },
  {
    id: 'store.input-items-without-text',
    what: 'The input items have no text.',
    breaks: ['storage/responses.input-items-contain-input'],
    override: items((body) =>
      changed(body, 'data', (data) =>
        (isArray(data) ? data : []).map((item) =>
          isObject(item) ? set(item, 'content', []) : item,
        ),
      ),
    ),
  },
  {
    id: 'store.input-items-are-the-output',
    what: 'The list of input items has the output items.',
    breaks: [
      'storage/responses.input-items-contain-input',
      'storage/responses.input-items-exclude-output',
    ],
    override: items((body, { record }) => set(body, 'data', record?.turn?.output() ?? [])),
  },
  {
    id: 'store.input-items-and-the-output',
    what: 'The list of input items goes on with the output items.',
    breaks: ['storage/responses.input-items-exclude-output'],
    override: items((body, { record }) =>
      changed(body, 'data', (data) => [
        ...(isArray(data) ? data : []),
        ...(record?.turn?.output() ?? []),
      ]),
    ),
  },
  {
    id: 'store.input-items-and-the-output-anew',
    what: 'The list of input items goes on with the output items, under other ids.',
    breaks: ['storage/responses.input-items-exclude-output'],
    override: items((body, { record }) =>
      changed(body, 'data', (data) => [
        ...(isArray(data) ? data : []),
        ...(record?.turn?.output() ?? []).map((item) => set(item, 'id', `${item.id}_input`)),
      ]),
    ),
  },
  {
    id: 'store.input-items-and-the-empty-output',
    what: 'The list of input items goes on with the output items, which have lost their text.',
    breaks: ['storage/responses.input-items-exclude-output'],
    override: items((body, { record }) =>
      changed(body, 'data', (data) => [
        ...(isArray(data) ? data : []),
        ...(record?.turn?.output() ?? []).map((item) => set(item, 'content', [])),
      ]),
    ),
  },
  {
    id: 'store.input-items-elsewhere',
    what: 'The input items stand in `items`, and `data` is empty.',
    breaks: ['storage/responses.input-items-contain-input'],
    override: items((body) => ({ ...body, data: [], items: body.data ?? [] })),
  },
  {
    id: 'store.input-items-no-first-id',
    what: 'The list of input items has no `first_id`.',
    breaks: ['storage/responses.input-items-shape'],
    override: items((body) => without(body, 'first_id')),
  },
  {
    id: 'store.input-items-wrong-object',
    what: 'The list of input items does not call itself a list.',
    breaks: ['storage/responses.input-items-shape'],
    override: items((body) => set(body, 'object', 'response.input_items')),
  },
  {
    id: 'store.input-items-limit-ignored',
    what: 'The list of input items ignores `limit`.',
    breaks: ['storage/responses.input-items-pages'],
    override: listedBy((query) => query.delete('limit')),
  },
  {
    id: 'store.input-items-order-ignored',
    what: 'The list of input items ignores `order`.',
    breaks: ['storage/responses.input-items-pages'],
    override: listedBy((query) => query.delete('order')),
  },
  {
    id: 'store.input-items-oldest-first',
    what: 'The list of input items begins with the oldest where no order is asked for.',
    breaks: ['storage/responses.input-items-newest-first'],
    override: listedBy((query) => {
      if (!query.has('order')) query.set('order', 'asc');
    }),
  },
  {
    id: 'store.input-items-ends-swapped',
    what: 'The list of input items names its last item first.',
    breaks: ['storage/responses.input-items-ends-named'],
    override: items(({ first_id = null, last_id = null, ...body }) => ({
      ...body,
      first_id: last_id,
      last_id: first_id,
    })),
  },
  {
    id: 'store.input-items-after-ignored',
    what: 'The list of input items ignores `after`: every page is the first.',
    breaks: ['storage/responses.input-items-pages'],
    override: listedBy((query) => query.delete('after')),
  },
  {
    id: 'store.input-items-one-page',
    what: 'The first page of input items says that there are no more.',
    breaks: ['storage/responses.input-items-pages'],
    override: items((body) => set(body, 'has_more', false)),
  },
];

// Input items that differ from the text that was sent.

const unchanged = 'storage/responses.input-items-unchanged';

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

function changing(id: string, what: string, change: (text: string) => string): Fault {
  return {
    id: `kept-input.${id}`,
    what: `The input items show the text ${what}.`,
    breaks: [`${unchanged}:string`],
    override: textsBy(change),
  };
}

/** Lists the messages of one role under another. */
function roleAs(role: string, other: string): Defect['override'] {
  return itemsBy((items) =>
    items.map((item) => (isObject(item) && item.role === role ? set(item, 'role', other) : item)),
  );
}

const roleFaults: readonly Fault[] = [
  {
    id: 'kept-input.answers-as-questions',
    what: 'The input items list what the model said as said by the user.',
    breaks: ['storage/responses.input-items-keep-roles:items'],
    override: roleAs('assistant', 'user'),
  },
  {
    id: 'kept-input.told-by-the-user',
    what: 'The input items list what the model was told as said by the user.',
    breaks: ['storage/responses.input-items-keep-roles:parts'],
    override: roleAs('developer', 'user'),
  },
];

const keptInputFaults: readonly Fault[] = [
  changing('ascii-only', 'with question marks for what is not ASCII', (text) =>
    text.replace(/[^\n\t -~]/g, '?'),
  ),
  changing('no-emoji', 'without what is beyond 16 bits', (text) =>
    text.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  changing('misread', 'as if its bytes were Latin-1', (text) =>
    Buffer.from(text, 'utf8').toString('latin1'),
  ),
  changing('escaped', 'escaped for HTML', (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  ),
  changing('unescaped', 'with its HTML entities replaced', (text) => text.replaceAll('&amp;', '&')),
  changing('on-one-line', 'on one line', (text) => text.replace(/\s+/g, ' ')),
  changing('shortened', 'up to its thousandth character', (text) => text.slice(0, 1_000)),
  {
    id: 'kept-input.last-item-only',
    what: 'The input items are the last message of the input.',
    breaks: [`${unchanged}:items`],
    override: itemsBy((items) => items.slice(0, 1)),
  },
  {
    id: 'kept-input.messages-only',
    what: 'The input items are the messages of the input: what a function said is missing.',
    breaks: [`${unchanged}:result`],
    override: itemsBy((items) =>
      items.filter((item) => isObject(item) && item.type !== 'function_call_output'),
    ),
  },
  {
    id: 'kept-input.results-of-other-calls',
    what: 'The input items list what a function said under another id of its call.',
    breaks: ['storage/responses.input-items-keep-calls'],
    override: itemsBy((items) =>
      items.map((item) =>
        isObject(item) && typeof item.call_id === 'string'
          ? set(item, 'call_id', `${item.call_id}0`)
          : item,
      ),
    ),
  },
  {
    id: 'kept-input.first-part-only',
    what: 'The input items have the first part of each message.',
    breaks: [`${unchanged}:parts`],
    override: itemsBy((items) =>
      items.map((item) =>
        isObject(item) && isArray(item.content)
          ? set(item, 'content', item.content.slice(0, 1))
          : item,
      ),
    ),
  },
];

export const storageInputItemsFaults: readonly Fault[] = [
  ...inputItemsFaults,
  ...keptInputFaults,
  ...roleFaults,
];
