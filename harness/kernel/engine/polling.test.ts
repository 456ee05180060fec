import { expect, test } from 'vitest';
import { firstPauseMs, mostPolls, nextPause } from './polling.ts';

const within = (patienceMs: number): number => mostPolls({ limits: { patienceMs } });

test('a poll asks once without patience, and then as often as its pauses fit', () => {
  expect(within(0)).toBe(1);
  expect(within(firstPauseMs - 1)).toBe(1);
  expect(within(firstPauseMs)).toBe(2);
  expect(within(firstPauseMs * 2.5)).toBe(3);
  // Once the pauses are two seconds long, each further two seconds are one more call.
  expect(within(62_000)).toBe(within(60_000) + 1);
});

test('pauses grow by half to two seconds', () => {
  expect(nextPause(100)).toBe(150);
  expect(nextPause(1_900)).toBe(2_000);
  expect(nextPause(2_000)).toBe(2_000);
});
