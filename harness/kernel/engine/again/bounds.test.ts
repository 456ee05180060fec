import { expect, test } from 'vitest';
import { Attempts, mostAttempts, mostFurtherAttempts } from './attempts.ts';
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

test('requests that no attempt gets answered are attempted twice, once there were several', () => {
  const attempts = new Attempts();
  attempts.allow(100);
  expect(attempts.take(mostAttempts)).toBe(true);
  expect(attempts.take(mostAttempts + 1)).toBe(false);
  attempts.ended(false);
  attempts.ended(false);
  expect([attempts.take(2), attempts.take(3)]).toEqual([true, false]);
  // A later attempt that was answered shows that connections break by chance.
  attempts.ended(true);
  expect(attempts.take(3)).toBe(true);
});

test('no more attempts are made than were announced', () => {
  const attempts = new Attempts();
  const most = mostFurtherAttempts({ requests: 0 });
  attempts.allow(most);
  for (let n = 0; n < most; n++) expect(attempts.take(2)).toBe(true);
  expect(attempts.take(2)).toBe(false);
});
