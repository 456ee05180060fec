import { expect, test } from 'vitest';
import { ViolationLog } from '../violation-log.ts';
import { SequenceNumbers } from './grammar.ts';
import { isText, newPart } from './grammar-item.ts';
import { indexIn } from './grammar-items.ts';
import type { Rule } from './rules.ts';

/** Rules that numbers break, with where, and rules that cannot be judged. */
function judged(
  numbers: readonly unknown[],
  { types = [] as readonly (string | undefined)[], after = null as number | null } = {},
) {
  const log = new ViolationLog<Rule>([]);
  const sequence = new SequenceNumbers(log, after);
  for (const [index, number] of numbers.entries()) {
    const type = index in types ? types[index] : 'response.novelty';
    sequence.read(index, { sequence_number: number }, type);
  }
  sequence.finish();
  const broken = log.violations().map(({ rule, index }) => `${rule} at ${index}`);
  return { broken, unjudged: [...log.unjudged.keys()], seen: sequence.seen };
}

const good = { broken: [], unjudged: [] };

test('numbers begin with 0, or after the last one that was seen, and go up by one', () => {
  expect(judged([0, 1, 2])).toEqual({ ...good, seen: [0, 1, 2] });
  expect(judged([3, 4], { after: 2 })).toEqual({ ...good, seen: [3, 4] });
  expect(judged([1, 2]).broken).toEqual(['sequence-from-zero at 0']);
  expect(judged([0, 2, 4]).broken).toEqual(['sequence-from-zero at 1']);
  expect(judged([4], { after: 2 }).broken).toEqual(['sequence-from-zero at 0']);
});

test('one that is not above those before is told as the worse of both', () => {
  expect(judged([0, 0]).broken).toEqual(['sequence-increases at 1']);
  expect(judged([0, 3, 1, 4]).broken).toEqual(['sequence-increases at 2']);
  expect(judged([2], { after: 2 }).broken).toEqual(['sequence-increases at 0']);
});

test('where an event has none, nothing can be said', () => {
  const unjudged = ['sequence-from-zero', 'sequence-increases'];
  for (const none of [undefined, null, '1', 1.5]) {
    expect(judged([0, none, 2])).toEqual({ broken: [], unjudged, seen: [0, 2] });
  }
});

test('where an event cannot be read, its number is not missing', () => {
  const log = new ViolationLog<Rule>([]);
  const sequence = new SequenceNumbers(log, null);
  sequence.read(0, { sequence_number: 0 }, 'response.created');
  sequence.lose(1);
  sequence.read(2, { sequence_number: 2 }, 'response.novelty');
  sequence.lose(3);
  sequence.read(4, {}, 'response.novelty');
  sequence.finish();
  expect(log.violations()).toEqual([]);
  const reason = 'event 1 cannot be read';
  expect([...log.unjudged]).toEqual([
    ['sequence-from-zero', reason],
    ['sequence-increases', reason],
  ]);
});

test('but an error needs none, nor what belongs to no response', () => {
  for (const type of ['error', 'keepalive', undefined]) {
    expect(judged([0, undefined, 1], { types: ['response.a', type] })).toEqual({
      ...good,
      seen: [0, 1],
    });
  }
});

test.each([
  [0, 0],
  [7, 7],
  [-1, null],
  [1.5, null],
  ['1', null],
  [null, null],
  [undefined, null],
])('an index of %j is %j', (value, index) => {
  expect(indexIn({ output_index: value }, 'output_index')).toBe(index);
});

test('text and refusals have events of their own, other parts may have none', () => {
  const types = ['output_text', 'refusal', 'reasoning_text', null];
  expect(types.map((type) => isText(newPart(0, type)))).toEqual([true, true, false, false]);
});
