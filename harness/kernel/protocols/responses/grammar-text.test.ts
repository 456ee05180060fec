import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json-value.ts';
import { ViolationLog } from '../violation-log.ts';
import {
  type Item,
  judgeArguments,
  judgeFinalId,
  judgeText,
  newItem,
  newPart,
  type Part,
  type StreamEnd,
} from './grammar-item.ts';
import type { Rule } from './rules.ts';

const index = 9;

function end(output: readonly unknown[] | null, more: Partial<StreamEnd> = {}): StreamEnd {
  const response = output === null ? null : { output };
  return { index, settled: true, completed: true, response, ...more };
}

function broken(judge: (log: ViolationLog<Rule>) => void): string[] {
  const log = new ViolationLog<Rule>([]);
  judge(log);
  return log.violations().map(({ rule, index }) => `${rule} at ${index}`);
}

describe('the text of a part', () => {
  const message = (type: string, text: string) => ({
    id: 'a',
    type: 'message',
    content: [{ type, [type === 'refusal' ? 'refusal' : 'text']: text }],
  });

  function judged(
    part: Partial<Part>,
    { type = 'output_text', item = {} as Partial<Item>, at = end(null), unseen = false } = {},
  ): string[] {
    const whole = { ...newPart(0, type), fragments: 'hello', ...part };
    const full = { ...newItem(0, 'a', 'message'), ...item, parts: [whole] };
    return broken((log) => judgeText(log, full, at, unseen));
  }

  const done = { text: { text: 'hello', index: 3 } };

  test('is said again by its done event, unless the stream ends early', () => {
    expect(judged(done)).toEqual([]);
    expect(judged({})).toEqual(['deltas-join-to-text at 9']);
    expect(judged({}, { at: end(null, { settled: false }) })).toEqual([]);
    expect(judged({}, { unseen: true })).toEqual(['deltas-join-to-text at 9']);
    expect(judged({ fragments: '' })).toEqual([]);
    expect(judged({ text: { text: 'hell', index: 3 } })).toEqual(['deltas-join-to-text at 3']);
  });

  test('is not judged where it cannot be known, or has no events', () => {
    expect(judged({ unsure: true })).toEqual([]);
    expect(judged({}, { type: 'reasoning_text' })).toEqual([]);
  });

  test('ends with what was seen, where its beginning was not', () => {
    expect(judged({ text: { text: 'oh, hello', index: 3 } }, { unseen: true })).toEqual([]);
    expect(judged({ text: { text: 'hello, oh', index: 3 } }, { unseen: true })).toHaveLength(1);
  });

  test.each(['output_text', 'refusal'])('stands in the finished part and item: %s', (type) => {
    const [good, bad] = [message(type, 'hello'), message(type, 'hell')];
    const part = (whole: typeof good) => ({ ...done, final: { part: whole.content[0], index: 4 } });
    expect(judged(part(good), { type })).toEqual([]);
    expect(judged(part(bad), { type })).toEqual(['deltas-join-to-text at 4']);
    const item = (item: JsonObject) => ({ final: { item, index: 5 }, doneAt: 5 });
    expect(judged(done, { type, item: item(good) })).toEqual([]);
    expect(judged(done, { type, item: item(bad) })).toEqual(['deltas-join-to-text at 5']);
    expect(judged(done, { type, item: item({ content: 'x' }) })).toEqual([]);
    expect(judged(done, { type, item: item({ content: [] }) })).toHaveLength(1);
  });

  test('stands in the final response, by the id of its item or in its place', () => {
    const [good, bad] = [message('output_text', 'hello'), message('output_text', 'hell')];
    const other = { ...bad, id: 'b' };
    expect(judged(done, { at: end([good, other]) })).toEqual([]);
    expect(judged(done, { at: end([other, good]) })).toEqual([]);
    expect(judged(done, { at: end([other]) })).toEqual(['deltas-join-to-text at 9']);
    expect(judged(done, { at: end([]) })).toEqual(['deltas-join-to-text at 9']);
    expect(judged(done, { at: end([bad], { settled: false }) })).toEqual([]);
    expect(judged(done, { at: end(['x']) })).toEqual([]);
    expect(judged(done, { at: end([{ ...good, content: 'x' }]) })).toEqual([]);
  });

  test('may be left out where it is empty', () => {
    const empty = { fragments: '', text: { text: '', index: 3 } };
    expect(judged(empty, { at: end([{ id: 'a', content: [] }]) })).toEqual([]);
    expect(judged(empty, { at: end([]) })).toEqual([]);
  });
});

describe('the arguments of a call', () => {
  function judged(
    item: Partial<Item>,
    { at = end(null), unseen = false, type = 'function_call' } = {},
  ): string[] {
    const full = { ...newItem(0, 'a', type), doneAt: 5, ...item };
    return broken((log) => judgeArguments(log, full, at, unseen));
  }

  const said = (text: string) => ({ arguments: { text, index: 3 } });
  const whole = { fragments: '{"a":1}', ...said('{"a":1}') };

  test('join to what is said at their end', () => {
    expect(judged(whole)).toEqual([]);
    expect(judged({ ...whole, ...said('{"a":2}') })).toEqual(['arguments-join at 3']);
    expect(judged({ fragments: '{"a":1}' })).toEqual(['arguments-join at 9']);
    expect(judged({ fragments: '{"a":1}' }, { unseen: true })).toEqual(['arguments-join at 9']);
    expect(judged({ fragments: '' })).toEqual(['arguments-join at 5']);
    expect(judged(whole, { type: 'message' })).toEqual([]);
    expect(judged({ ...whole, ...said('x'), unsure: true })).toEqual([]);
    expect(judged({ fragments: '{', doneAt: null })).toEqual([]);
    const open = { ...whole, ...said('{"a":2}'), doneAt: null };
    expect(judged(open)).toEqual(['arguments-join at 3']);
  });

  test('stand in the finished item and the final response', () => {
    const final = (text: string) => ({ id: 'a', type: 'function_call', arguments: text });
    const finished = (text: string) => ({ final: { item: final(text), index: 5 } });
    expect(judged({ ...whole, ...finished('{"a":1}') })).toEqual([]);
    expect(judged({ ...whole, ...finished('{}') })).toEqual(['arguments-join at 5']);
    // For the arguments of other calls, no events exist that all sources know.
    expect(judged(finished('{"a":1}'), { type: 'mcp_call' })).toEqual([]);
    expect(judged(whole, { at: end([final('{"a":1}')]) })).toEqual([]);
    expect(judged(whole, { at: end([final('{}')]) })).toEqual(['arguments-join at 9']);
  });

  test.each(['', '{}', ' { } ', '\n'])('%j needs no fragments', (text) => {
    expect(judged(said(text))).toEqual([]);
  });

  test.each(['x', '{}x', 'x{}', '[]'])('%j is no object', (text) => {
    expect(judged(said(text))).toEqual(['arguments-join at 3']);
  });

  test('may come whole, and then the same each time, unless others come in fragments', () => {
    const final = (text: string) => ({ id: 'a', type: 'function_call', arguments: text });
    const item = (text: string) => ({ final: { item: final(text), index: 5 } });
    expect(judged(said('{"a":1}'))).toEqual([]);
    expect(judged({ ...said('{"a":1}'), ...item('{"a":1}') })).toEqual([]);
    expect(judged({ ...said('{"a":1}'), ...item('{"a":2}') })).toEqual(['arguments-join at 5']);
    expect(judged(item('{"a":1}'), { at: end([final('{"a":2}')]) })).toEqual([
      'arguments-join at 9',
    ]);
    const at = end(null, { inFragments: new Set(['function_call']) });
    expect(judged(said('{"a":1}'), { at })).toEqual(['arguments-join at 3']);
    expect(judged(said('{}'), { at })).toEqual([]);
  });

  test('are one object, unless the call was cut short', () => {
    const cut = { fragments: '{"a"', ...said('{"a"') };
    expect(judged(cut)).toEqual(['arguments-join at 3']);
    expect(judged(cut, { at: end(null, { completed: false }) })).toEqual([]);
    expect(judged(cut, { unseen: true })).toEqual([]);
    const finished = (status: string) => ({ final: { item: { status }, index: 5 } });
    expect(judged({ ...cut, ...finished('incomplete') })).toEqual([]);
    expect(judged({ ...cut, ...finished('completed') })).toHaveLength(1);
    expect(judged({ fragments: '[1]', ...said('[1]') })).toEqual(['arguments-join at 3']);
  });
});

test('an item keeps its id in the final response', () => {
  const judged = (final: JsonObject, item: Partial<Item> = {}) => {
    const full = { ...newItem(0, 'a', 'message'), ...item };
    return broken((log) => judgeFinalId(log, full, end([final])));
  };
  expect(judged({ id: 'a', type: 'message' })).toEqual([]);
  expect(judged({ id: 'b', type: 'message' })).toEqual(['ids-constant at 9']);
  expect(judged({ type: 'message' })).toEqual([]);
  // An item of another type may have an id of its own.
  expect(judged({ id: 'b', type: 'reasoning' })).toEqual([]);
  expect(judged({ id: 'b', type: 'message' }, { indexUnsure: true })).toEqual([]);
  expect(judged({ id: 'b', type: 'message' }, { id: null })).toEqual([]);
});
