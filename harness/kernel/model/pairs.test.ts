import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Chosen, type FreeChoice, pairwiseRows } from './pairs.ts';

const choices: readonly FreeChoice[] = [
  { name: 'a', values: ['no', '1', '2'] },
  { name: 'b', values: ['no', '1'] },
  { name: 'c', values: ['no', '1', '2', '3'] },
  { name: 'd', values: ['no', '1'] },
];

const row = fc.record(
  { a: fc.constantFrom('no', '1', '2'), c: fc.constantFrom('no', '3') },
  { requiredKeys: [] },
);
const apart = fc.uniqueArray(fc.constantFrom('a=1 b=1', 'a=2 c=3', 'b=1 d=1'));

function has(chosen: Chosen, pair: string): boolean {
  return pair.split(' ').every((part) => chosen[part.split('=')[0] ?? ''] === part.split('=')[1]);
}

test('every wanted pair that can meet is in a row, and none that cannot meet', () => {
  fc.assert(
    fc.property(fc.array(row), apart, (fixed, kept) => {
      const { rows, pairs, untried } = pairwiseRows({
        choices,
        slots: fixed.map((one) => ({
          fixed: one.a === '2' ? { a: '2' } : one,
          allows: () => true,
        })),
        further: { fixed: {}, allows: () => true },
        meet: (one, other) => kept.every((pair) => pair !== `${one.join('=')} ${other.join('=')}`),
        wanted: ([, one], [, other]) => one !== 'no' && other !== 'no',
      });
      expect(untried).toEqual([]);
      for (const pair of pairs) expect(rows.some((one) => has(one, pair))).toBe(true);
      for (const pair of kept) expect(pairs).not.toContain(pair);
      for (const one of rows) expect(Object.keys(one).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(rows.length).toBeGreaterThanOrEqual(fixed.length);
    }),
  );
});

test('a slot makes no choice that it does not allow, and what only it could have is untried', () => {
  const { rows, untried } = pairwiseRows({
    choices,
    slots: [{ fixed: { a: '1' }, allows: (choice) => choice !== 'd' }],
    further: { fixed: {}, allows: (choice, value) => choice !== 'd' || value === 'no' },
    meet: () => true,
    wanted: ([, one], [, other]) => one !== 'no' && other !== 'no',
  });
  expect(rows[0]).toMatchObject({ a: '1', d: 'no' });
  expect(untried).toContain('a=1 d=1');
});
