import { expect, test } from 'vitest';
import { percentilesOf } from './percentiles.ts';

test('of a hundred times the fiftieth, the ninetieth and the last but one', () => {
  const times = Array.from({ length: 100 }, (_, index) => [100 - index, 1] as const);
  expect(percentilesOf(times)).toMatchObject({ p50: 50, p90: 90, p99: 99 });
  expect(percentilesOf([[12.345, 1]])).toEqual({ p50: 12, p90: 12, p99: 12, seen: [[12, 1]] });
});

test('those of several runs come from all times together, and not from the slowest run', () => {
  const fast = percentilesOf(Array.from({ length: 99 }, () => [10, 1] as const));
  const slow = percentilesOf([[1_000, 1]]);
  const both = percentilesOf([...fast.seen, ...slow.seen]);
  expect(both).toEqual({
    ...{ p50: 10, p90: 10, p99: 10 },
    seen: [
      [10, 99],
      [1_000, 1],
    ],
  });
});
