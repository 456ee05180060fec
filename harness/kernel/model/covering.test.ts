import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covering, tuplesOf } from './covering.ts';

const cells = fc.array(
  fc.record({
    a: fc.constantFrom('1', '2', '3'),
    b: fc.constantFrom('1', '2', '3'),
    c: fc.constantFrom('1', '2', '3'),
  }),
);
const pairs = (cell: Readonly<Record<string, string>>) => tuplesOf(cell, 2);
const covered = (some: readonly Readonly<Record<string, string>>[]) =>
  [...new Set(some.flatMap(pairs))].sort();

test('what is chosen covers what all cover, and each one something that no other does before it', () => {
  fc.assert(
    fc.property(cells, (all) => {
      const chosen = covering(all, pairs);
      expect(covered(chosen)).toEqual(covered(all));
      for (const [n, one] of chosen.entries()) {
        const before = new Set(chosen.slice(0, n).flatMap(pairs));
        expect(pairs(one).some((pair) => !before.has(pair))).toBe(true);
      }
    }),
  );
});

test('what is there anyway is not chosen again', () => {
  fc.assert(
    fc.property(cells, cells, (all, given) => {
      const chosen = covering(all, pairs, given);
      expect(covered([...chosen, ...given])).toEqual(covered([...all, ...given]));
      expect(covering(given, pairs, given)).toEqual([]);
    }),
  );
});

test('tuples are all choices of so many values', () => {
  expect(tuplesOf({ a: '1', b: '2', c: '3' }, 2)).toEqual(['a=1 b=2 ', 'a=1 c=3 ', 'b=2 c=3 ']);
  expect(tuplesOf({ a: '1' }, 2)).toEqual([]);
});
