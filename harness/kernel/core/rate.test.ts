import { expect, test } from 'vitest';
import { atLeast, atMost, between, percent, rateInWords } from './rate.ts';

test('what was never seen may still be there, the less the oftener it was looked for', () => {
  expect(atMost({ times: 0, tries: 200 })).toBeCloseTo(1 - 0.05 ** (1 / 200), 9);
  expect(atMost({ times: 0, tries: 0 })).toBe(1);
  expect(atLeast({ times: 0, tries: 200 })).toBe(0);
  expect(atLeast({ times: 200, tries: 200 })).toBeCloseTo(0.05 ** (1 / 200), 9);
});

// The figures of the tables of Clopper and Pearson.
test.each([
  { times: 3, tries: 60, from: 0.0104, to: 0.1392 },
  { times: 1, tries: 50, from: 0.0005, to: 0.1065 },
  { times: 5, tries: 10, from: 0.1871, to: 0.8129 },
  { times: 59, tries: 60, from: 0.9106, to: 0.9996 },
])('$times of $tries lie between $from and $to', ({ from, to, ...seen }) => {
  const bounds = between(seen);
  expect(bounds.from).toBeCloseTo(from, 4);
  expect(bounds.to).toBeCloseTo(to, 4);
});

test('a great many tries are counted, too', () => {
  const { from, to } = between({ times: 5_000, tries: 10_000 });
  expect(from).toBeCloseTo(0.4902, 4);
  expect(to).toBeCloseTo(0.5098, 4);
});

test.each([
  [{ times: 0, tries: 200 }, '0 of 200 tries: at most 1.5 % at 95 %'],
  [{ times: 3, tries: 60 }, '3 of 60 tries: 5 %, at 95 % between 1 % and 14 %'],
  [{ times: 60, tries: 60 }, '60 of 60 tries: at least 95.1 % at 95 %'],
  [{ times: 0, tries: 0 }, '0 of 0 tries'],
] as const)('%o in words', (seen, words) => {
  expect(rateInWords(seen)).toBe(words);
});

test('a bound is rounded away from what it bounds', () => {
  expect(percent(0.014_87, 'up')).toBe('1.5 %');
  expect(percent(0.014_81, 'near')).toBe('1.5 %');
  expect(percent(0.014_81, 'down')).toBe('1.4 %');
  expect(percent(0.9997, 'down')).toBe('99.97 %');
  expect(percent(0, 'up')).toBe('0 %');
});
