import { describe, expect, test } from 'vitest';
import { ViolationLog } from '../violation-log.ts';
import { newItem } from './grammar-item.ts';
import { ResponsesParts } from './grammar-items.ts';
import type { Rule } from './rules.ts';

type Step = 'add' | 'finish' | 'text';
type Event = readonly [step: Step, body: { [name: string]: unknown }];

const add = (content_index: unknown, type: unknown = 'output_text'): Event => [
  'add',
  { content_index, part: { type } },
];
const finish = (content_index: unknown, type: unknown = 'output_text'): Event => [
  'finish',
  { content_index, part: { type } },
];
const text = (content_index: unknown, type = 'response.output_text.delta'): Event => [
  'text',
  { type, content_index, delta: 'x', text: 'x', refusal: 'x' },
];
const refusal = 'response.refusal.delta';

/** The parts of one item that events make, and what they break. */
function read(events: readonly Event[], { unseen = false, doneAt = null as number | null } = {}) {
  const log = new ViolationLog<Rule>([]);
  const parts = new ResponsesParts(log);
  const item = newItem(0, 'a', 'message');
  for (const [index, [step, body]] of events.entries()) {
    item.doneAt = doneAt !== null && index >= doneAt ? doneAt : null;
    parts[step](item, body, index, unseen);
  }
  const broken = () => log.violations().map(({ rule, index }) => `${rule} at ${index}`);
  const close = (lost: boolean) => {
    parts.close(item, events.length, lost);
    return broken();
  };
  return { broken: broken(), parts: item.parts, close };
}

function broken(...events: readonly Event[]): string[] {
  return read(events).broken;
}

const toldAt = (index: number): string[] => [`parts-open-and-close at ${index}`];

describe('a part is added before its events', () => {
  test('and once', () => {
    expect(broken(add(0), text(0), finish(0), add(1), text(1), finish(1))).toEqual([]);
    expect(broken(text(0), add(0))).toEqual(toldAt(0));
    expect(broken(finish(0), add(0))).toEqual(toldAt(0));
    expect(broken(add(0), add(0))).toEqual(toldAt(1));
    expect(broken(add(0), text(1))).toEqual(toldAt(1));
    expect(broken(finish(0, 'refusal'))).toEqual(toldAt(0));
  });

  test('unless it is of a kind that not all sources have events for', () => {
    expect(broken(finish(0, 'reasoning_text'))).toEqual([]);
    expect(broken(finish(0, null))).toEqual([]);
  });

  test('unless that may have been before: then it is not added any more', () => {
    expect(read([text(1), finish(1)], { unseen: true }).broken).toEqual([]);
    expect(read([text(1), add(1)], { unseen: true }).broken).toEqual(toldAt(1));
    expect(read([finish(1), add(1)], { unseen: true }).broken).toEqual(toldAt(1));
  });
});

test('places go up by one, and where the beginning was not seen they go up', () => {
  expect(broken(add(1))).toEqual(['indexes-append at 0']);
  expect(broken(add(0), finish(0), add(0))).toEqual(['indexes-append at 2']);
  expect(broken(add(undefined), add(undefined))).toEqual([]);
  // The part is found in the place that it should have.
  expect(broken(add(0), finish(0), add(5), text(1), finish(1))).toEqual(['indexes-append at 2']);
  expect(broken(add(0), finish(0), add(5), text(5), finish(5))).toEqual(['indexes-append at 2']);
  const unseen = { unseen: true };
  expect(read([add(3), text(3), finish(3), add(5), text(5)], unseen).broken).toEqual([]);
  expect(read([add(3), finish(3), add(2)], unseen).broken).toEqual(['indexes-append at 2']);
});

test('what names no place is of the part that is open', () => {
  const { broken, parts } = read([add(0), finish(0), add(1), text(undefined)]);
  expect(broken).toEqual([]);
  expect(parts.map(({ fragments }) => fragments)).toEqual(['', 'x']);
});

test('its events are of its type', () => {
  expect(broken(add(0), text(0, refusal))).toEqual(toldAt(1));
  expect(broken(add(0, 'refusal'), text(0, refusal))).toEqual([]);
  expect(broken(add(0, 'refusal'), text(0))).toEqual(toldAt(1));
  expect(broken(add(0), finish(0, 'refusal'))).toEqual(toldAt(1));
  expect(broken(add(0, 'refusal'), finish(0, null))).toEqual([]);
  // If a part is added without a type, the next event determines it.
  expect(broken(add(0, null), text(0), finish(0))).toEqual([]);
  expect(broken(add(0, null), text(0), finish(0, 'refusal'))).toEqual(toldAt(2));
});

describe('it is done once', () => {
  const closed = [add(0), finish(0)] as const;
  const said = [add(0), text(0, 'response.output_text.done')] as const;

  test('and nothing of it comes later', () => {
    expect(broken(...closed, finish(0))).toEqual(toldAt(2));
    expect(broken(...closed, text(0))).toEqual(toldAt(2));
    expect(broken(...said, text(0))).toEqual(toldAt(2));
    expect(broken(...said, finish(0))).toEqual([]);
  });

  test('what comes after its item is done is told of the item alone', () => {
    for (const late of [finish(0), text(0)]) {
      expect(read([...closed, late], { doneAt: 2 }).broken).toEqual([]);
    }
    expect(read([...said, text(0)], { doneAt: 2 }).broken).toEqual([]);
  });

  test('before its item is, if it is text', () => {
    expect(read(closed).close(false)).toEqual([]);
    expect(read([add(0)]).close(false)).toEqual(toldAt(1));
    expect(read([add(0, 'refusal')]).close(false)).toEqual(toldAt(1));
    expect(read([add(0, 'reasoning_text')]).close(false)).toEqual([]);
    expect(read([text(0)], { unseen: true }).close(false)).toEqual(toldAt(1));
    expect(read([text(0)], { unseen: true }).close(true)).toEqual([]);
  });
});

test('its text is kept, as fragments and whole', () => {
  const whole = (event: string) => read([add(0, 'refusal'), text(0, event)]).parts[0];
  expect(whole(refusal)).toMatchObject({ fragments: 'x', text: null, unsure: false });
  expect(whole('response.refusal.done')).toMatchObject({ text: { text: 'x', index: 1 } });
  const [odd] = read([add(0), ['text', { type: 'response.output_text.delta', text: 'x' }]]).parts;
  expect(odd).toMatchObject({ fragments: '', unsure: true });
  const [empty] = read([add(0), ['text', { type: 'response.refusal.done', text: 'x' }]]).parts;
  expect(empty).toMatchObject({ text: null, unsure: true });
  const [part] = read([add(0), finish(0), finish(0, 'novel'), ['finish', {}]]).parts;
  expect(part?.final).toEqual({ part: { type: 'output_text' }, index: 1 });
});
