import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json-value.ts';
import { ViolationLog } from '../violation-log.ts';
import { ResponsesItems } from './grammar-items.ts';
import type { Rule } from './rules.ts';

type Event = readonly [type: string, body: JsonObject];

const added = (id: unknown, output_index: unknown, type = 'message'): Event => [
  'response.output_item.added',
  { output_index, item: { id, type } },
];
const done = (id: unknown, output_index: unknown, item: JsonObject = {}): Event => [
  'response.output_item.done',
  { output_index, item: { id, type: 'message', ...item } },
];
const on = (type: string, item_id?: unknown, output_index?: unknown, more = {}): Event => [
  type,
  {
    ...(item_id === undefined ? {} : { item_id }),
    ...(output_index === undefined ? {} : { output_index }),
    ...more,
  },
];
const thought = (id?: unknown, place?: unknown, more = {}): Event =>
  on('response.reasoning_text.delta', id, place, { delta: 'hm', ...more });
const part = (id: unknown, place: unknown, content_index = 0): Event =>
  on('response.content_part.added', id, place, { content_index, part: { type: 'output_text' } });
const partDone = (id: unknown, place: unknown, content_index = 0): Event =>
  on('response.content_part.done', id, place, { content_index, part: { type: 'output_text' } });
const delta = (id: unknown, place: unknown, text: unknown, content_index = 0): Event =>
  on('response.output_text.delta', id, place, { content_index, delta: text });
const fragment = (id: unknown, place: unknown, text: unknown): Event =>
  on('response.function_call_arguments.delta', id, place, { delta: text });
const whole = (id: unknown, place: unknown, text: unknown): Event =>
  on('response.function_call_arguments.done', id, place, { arguments: text });

const end = 99;

function read(
  events: readonly Event[],
  { resumed = false, lost = false, output = null as readonly unknown[] | null } = {},
) {
  const log = new ViolationLog<Rule>([]);
  const items = new ResponsesItems(log, resumed);
  items.lost = lost;
  for (const [index, [type, body]] of events.entries()) items.read(type, { ...body, type }, index);
  const settled = output !== null;
  items.finish({ index: end, settled, completed: settled, response: settled ? { output } : null });
  const broken = log.violations().map(({ rule, index }) => `${rule} at ${index}`);
  return { broken, text: items.text() };
}

/** Returns the rules that events break in a stream without an end. */
function broken(...events: readonly Event[]): string[] {
  return read(events).broken;
}

const wasNotAdded = (index: number): string[] => [`items-open-and-close at ${index}`];

describe('an item is added before its events', () => {
  test('whether they name it by its id or by its place', () => {
    expect(broken(thought('a'))).toEqual(wasNotAdded(0));
    expect(broken(thought(undefined, 0))).toEqual(wasNotAdded(0));
    expect(broken(['response.in_progress', {}])).toEqual([]);
    expect(broken(added('a', 0), thought('b'))).toEqual(wasNotAdded(1));
    expect(broken(added('a', 0), thought(undefined, 5))).toEqual(wasNotAdded(1));
    expect(broken(delta('', undefined, 'x'))).toContain('items-open-and-close at 0');
  });

  test('what comes too late is told once', () => {
    expect(broken(thought('a', 0), added('a', 0), thought('a', 0))).toEqual(wasNotAdded(0));
    expect(broken(thought(undefined, 0), added('a', 0), thought('a', 0))).toEqual(wasNotAdded(0));
    const call = (id: string, place: number) => added(id, place, 'function_call');
    const ends = (id: string, place: number) => whole(id, place, '{}');
    expect(broken(fragment('a', 0, '{}'), call('a', 0), ends('a', 0))).toEqual(wasNotAdded(0));
    expect(broken(fragment(undefined, 0, '{}'), call('a', 0), ends('a', 0))).toEqual(
      wasNotAdded(0),
    );
    const other = [call('b', 1), fragment('b', 1, '{}'), ends('b', 1)];
    expect(broken(fragment('a', 0, '{}'), ...other)).toEqual(wasNotAdded(0));
  });

  test('it gets its id where it is told first, and keeps it', () => {
    const unnamed = [thought(undefined, 0), added('a', 0)] as const;
    expect(broken(...unnamed, thought('b', 0))).toEqual([...wasNotAdded(0), 'ids-constant at 2']);
    expect(broken(added(null, 0), thought('a', 0), thought('b', 0))).toEqual(['ids-constant at 2']);
  });

  test('a tail may begin within it, but then it is not added any more', () => {
    const { broken } = read([thought('a', 3), thought('a', 3)], { resumed: true });
    expect(broken).toEqual([]);
    const again = read([thought('a', 3), added('a', 3)], { resumed: true });
    expect(again.broken).toEqual(['items-open-and-close at 1']);
  });

  test('an event that cannot be read may have added it', () => {
    expect(read([thought('a', 3), delta('a', 3, 'x')], { lost: true }).broken).toEqual([]);
    expect(read([added('a', 0), delta('a', 0, 'x')], { lost: true }).broken).toEqual([]);
    const inTail = { lost: true, resumed: true };
    expect(read([added('a', 0), delta('a', 0, 'x')], inTail).broken).toEqual([]);
  });
});

describe('items without an id, or without a place, are told by their shape alone', () => {
  test.each([null, ''])('an id of %j is none', (none) => {
    const two = [added(none, 0), added(none, 1)] as const;
    expect(broken(...two, thought(none, 0), thought(none, 1))).toEqual([]);
    expect(broken(...two, done(none, 0), done(none, 1))).toEqual([]);
  });

  test('what names none is of the one that is open, or of the last', () => {
    const nowhere = delta(undefined, undefined, 'x');
    const a = [added('a', 0), part('a', 0)] as const;
    const b = [added('b', 1), part('b', 1)] as const;
    const closed = (id: string, place: number) => [partDone(id, place), done(id, place)] as const;
    const texts = (events: readonly Event[]) => read([...events, delta('a', 0, '.')]).text;
    expect(texts([...a, ...b, ...closed('b', 1), nowhere])).toBe('x.');
    expect(texts([...a, ...closed('a', 0), ...b, nowhere])).toBe('.x');
    expect(texts([...a, ...closed('a', 0), ...b, ...closed('b', 1), nowhere])).toBe('.x');
    expect(texts([...a, ...b, nowhere])).toBe('.x');
    expect(texts([...a, ...closed('a', 0), nowhere])).toBe('x.');
    expect(broken(nowhere)).toEqual(['items-open-and-close at 0', 'parts-open-and-close at 0']);
  });
});

describe('places go up', () => {
  test('from 0, by one', () => {
    expect(broken(added('a', 0), added('b', 1), added('c', 2))).toEqual([]);
    expect(broken(added('a', 0), added('b', 2))).toEqual(['indexes-append at 1']);
    expect(broken(added('a', 0), added('b', 0))).toEqual(['indexes-append at 1']);
    expect(broken(added('a', 0), added('b', undefined))).toEqual([]);
  });

  test('and the final response has each item in its place', () => {
    const two = [added('a', 0), done('a', 0), added('b', 1), done('b', 1)];
    const [first, second] = ['a', 'b'].map((id) => ({ id, type: 'message', content: [] }));
    expect(read(two, { output: [first, second] }).broken).toEqual([]);
    expect(read(two, { output: [second, first] }).broken).toEqual([`indexes-append at ${end}`]);
    expect(read(two, { output: [first, first] }).broken).toEqual([`ids-constant at ${end}`]);
  });

  test('and in a tail from where it begins, over those that it does not show', () => {
    const tail = (...events: readonly Event[]) => read(events, { resumed: true }).broken;
    expect(tail(added('c', 2), added('d', 3))).toEqual([]);
    expect(tail(thought('a', 0), added('c', 2), thought('c', 2), thought('a', 0))).toEqual([]);
    expect(tail(thought('c', 2), added('b', 1))).toEqual(['indexes-append at 1']);
    expect(tail(thought('a', 0), added('b', 0), thought('b', 0))).toEqual(['indexes-append at 1']);
  });

  test('one that was added in a wrong place is found by its id, and in the next place', () => {
    expect(broken(added('a', 0), added('b', 7), thought('b', 7))).toEqual(['indexes-append at 1']);
    expect(broken(added('a', 0), added('b', 7), thought('b', 1))).toEqual(['indexes-append at 1']);
    expect(broken(added('a', 0), added('b', 1), thought('b', 0))).toEqual(['ids-constant at 2']);
  });
});

describe('an item is done once, and last', () => {
  const open = [added('a', 0), part('a', 0)] as const;

  test('no event of it comes later', () => {
    const closed = [...open, partDone('a', 0), done('a', 0)] as const;
    for (const late of [thought('a', 0), delta('a', 0, 'x'), partDone('a', 0), done('a', 0)]) {
      expect(broken(...closed, late), late[0]).toEqual(['items-open-and-close at 4']);
    }
    const type = 'function_call';
    const call = [added('a', 0, type), whole('a', 0, '{}'), done('a', 0, { type })] as const;
    expect(broken(...call, fragment('a', 0, '{}'))).toEqual(['items-open-and-close at 3']);
  });

  test('of a part that it left open only the end is forgiven', () => {
    const early = [...open, done('a', 0)] as const;
    const left = 'parts-open-and-close at 2';
    expect(broken(...early)).toEqual([left]);
    expect(broken(...early, partDone('a', 0))).toEqual([left]);
    expect(broken(...early, delta('a', 0, 'x'))).toEqual([left, 'items-open-and-close at 3']);
    const second = [...open, partDone('a', 0), part('a', 0, 1), done('a', 0)] as const;
    expect(broken(...second, partDone('a', 0, 1))).toEqual(['parts-open-and-close at 4']);
  });

  test('also in a tail that begins within it, unless an event could not be read', () => {
    const output: readonly unknown[] = [{ id: 'a', type: 'message', content: [] }];
    const tail = (events: readonly Event[], lost = false) =>
      read(events, { resumed: true, output, lost }).broken;
    expect(tail([thought('a', 0)])).toEqual([`items-open-and-close at ${end}`]);
    expect(tail([thought('a', 0)], true)).toEqual([]);
    expect(tail([delta('a', 0, ''), done('a', 0)])).toEqual(['parts-open-and-close at 1']);
    expect(tail([delta('a', 0, ''), done('a', 0)], true)).toEqual([]);
    expect(tail([added('b', 1)])).toEqual([`items-open-and-close at ${end}`]);
    expect(tail([added('b', 1), delta('b', 1, '')])[0]).toBe('parts-open-and-close at 1');
  });
});

describe('the arguments of a call', () => {
  const call = added('c', 0, 'function_call');

  test('are joined from fragments, and from nothing else', () => {
    const events = [call, thought('c', 0), thought('c', 0, { delta: 5 }), fragment('c', 0, '{"a')];
    const more = [...events, fragment('c', 0, '":1}'), whole('c', 0, '{"a":1}')];
    const final = { type: 'function_call', name: 'f', call_id: 'i', arguments: '{"a":1}' };
    const output = [{ id: 'c', ...final }];
    expect(read([...more, done('c', 0, final)], { output }).broken).toEqual([]);
  });

  test('come to an end once', () => {
    const all = [call, fragment('c', 0, '{}'), whole('c', 0, '{}')] as const;
    expect(broken(...all, fragment('c', 0, ''))).toEqual(['arguments-join at 3']);
  });

  test('belong to a call that keeps its call_id, once it has one', () => {
    const type = 'function_call';
    const made = (call_id?: string): Event => [
      'response.output_item.added',
      { output_index: 0, item: { id: 'c', type, call_id } },
    ];
    const over = (first: string | undefined, last: string, final: string) =>
      read([made(first), done('c', 0, { type, call_id: last })], {
        output: [{ id: 'c', type, call_id: final }],
      }).broken;
    expect(over('i', 'i', 'i')).toEqual([]);
    expect(over(undefined, 'i', 'i')).toEqual([]);
    expect(over('', 'i', 'i')).toEqual([]);
    expect(over('i', 'j', 'i')).toEqual(['ids-constant at 1']);
    expect(over('i', 'i', 'j')).toEqual([`ids-constant at ${end}`]);
    expect(over(undefined, 'i', 'j')).toEqual([`ids-constant at ${end}`]);
  });

  test('are named by the id of their item', () => {
    expect(broken(call, fragment('d', 0, '{}'))).toEqual(['ids-constant at 1']);
  });

  test('may have come before a tail that only shows its end', () => {
    const final = { type: 'function_call', name: 'f', arguments: '{}' };
    expect(read([done('c', 4, final)], { resumed: true }).broken).toEqual([]);
  });
});

describe('the text of the final response', () => {
  const message = (...content: readonly JsonObject[]) => ({ id: 'a', type: 'message', content });
  const text = (said: unknown) => ({ type: 'output_text', text: said });
  const said = (id: string, place: number, ...texts: readonly unknown[]): Event[] => [
    added(id, place),
    ...texts.flatMap((one, n) => [
      part(id, place, n),
      delta(id, place, one, n),
      on('response.output_text.done', id, place, { content_index: n, text: one }),
      partDone(id, place, n),
    ]),
    done(id, place),
  ];
  const none = `deltas-join-to-text at ${end}`;

  test('is what the deltas come to', () => {
    expect(read(said('a', 0, 'x'), { output: [message(text('x'))] }).broken).toEqual([]);
    expect(read(said('a', 0, 'x'), { output: [message(text('y'))] }).broken).toEqual([none]);
    const more = [message(text('x')), { ...message(text('y')), id: 'b' }];
    expect(read(said('a', 0, 'x'), { output: more }).broken).toEqual([none]);
    // Nothing was said before it.
    expect(read([], { output: [message(text('x'))] }).broken).toEqual([]);
    expect(read([], { output: [message(text('x'))], resumed: true }).broken).toEqual([]);
  });

  test('is that of messages alone, and of parts that are text', () => {
    const novel = { type: 'novel', content: [text('x')] };
    const thinking = message({ type: 'reasoning_text', text: 'x' }, { type: 'output_text' });
    expect(read([], { output: [novel, thinking, 'x', message()] }).broken).toEqual([]);
  });

  test('is not judged where a delta cannot be read', () => {
    const two = [...said('a', 0, 'x', 5), ...said('b', 1, 'y')];
    const output = [message(text('x'), text('z')), { ...message(text('y')), id: 'b' }];
    expect(read(two, { output }).broken).toEqual([]);
  });

  test('goes by the places of items, in whatever order they come', () => {
    const events = [delta('b', 1, 'there'), delta('a', 0, 'Hello ')];
    expect(read(events, { resumed: true }).text).toBe('Hello there');
    const reversed = [delta('c', 2, '!'), delta('b', 1, 'there'), delta('a', 0, 'Hello ')];
    expect(read(reversed, { resumed: true }).text).toBe('Hello there!');
  });
});
