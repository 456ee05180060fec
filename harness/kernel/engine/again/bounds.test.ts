import { expect, test } from 'vitest';
import { type ExchangeId, exchangeId } from '../../core/exchange-id.ts';
import { scenario } from '../scenario.ts';
import { liveRun, targetAt } from '../testing.ts';
import { firstPauseMs, mostPolls, nextPause, retryBounds } from './bounds.ts';

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

const only = scenario('t/only', { cost: { requests: 1, generations: 0 } }, async () => undefined);
const attempt = (n: number): ExchangeId => exchangeId({ ...only.id, attempt: n });

test('requests that no attempt gets answered are attempted twice, once there were several', () => {
  const { retries } = liveRun(targetAt('http://gateway')).run;
  const may = (...tries: number[]): boolean[] => tries.map((n) => retries.may(attempt(n)));
  retries.plan([only]);
  const { tries } = retryBounds.connection;
  expect(may(tries, tries + 1)).toEqual([true, false]);
  retries.attempted(only, false);
  retries.attempted(only, false);
  expect(may(2, 3)).toEqual([true, false]);
  // A later attempt that was answered shows that connections break by chance.
  retries.attempted(only, true);
  expect(may(3)).toEqual([true]);
});

test('no more attempts are made than were announced', () => {
  const { retries } = liveRun(targetAt('http://gateway')).run;
  retries.plan([only]);
  const most = retryBounds.connection.further({ requests: 1, expectedGenerations: 0 });
  for (let n = 0; n < most; n++) expect(retries.may(attempt(2))).toBe(true);
  expect(retries.may(attempt(2))).toBe(false);
});
