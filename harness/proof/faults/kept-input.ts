import { isArray, isObject, type Json } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { changed, set } from '../editing.ts';
import { bodies } from '../planting.ts';
import type { Fault } from './fault.ts';

// What the list of input items makes of the text that was sent.

const row = 'storage/responses.input-items-unchanged';

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
    breaks: [`${row}:string`],
    override: textsBy(change),
  };
}

export const keptInputFaults: readonly Fault[] = [
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
    breaks: [`${row}:items`],
    override: itemsBy((items) => items.slice(0, 1)),
  },
  {
    id: 'kept-input.first-part-only',
    what: 'The input items have the first part of each message.',
    breaks: [`${row}:parts`],
    override: itemsBy((items) =>
      items.map((item) =>
        isObject(item) && isArray(item.content)
          ? set(item, 'content', item.content.slice(0, 1))
          : item,
      ),
    ),
  },
];
