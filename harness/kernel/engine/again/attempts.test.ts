import { expect, test } from 'vitest';
import {
  Attempts,
  attemptKey,
  firstAttemptOf,
  mostAttempts,
  mostFurtherAttempts,
} from './attempts.ts';

test('the key of an attempt leads to that of the first', () => {
  expect(attemptKey('a/b#main/0', 1)).toBe('a/b#main/0');
  for (const key of ['a/b#main/0', 'a/b@us#main~/2', 'asked-again/free#a/b~main/0/1']) {
    for (const ending of ['', '-again']) {
      expect(firstAttemptOf(attemptKey(key, 4) + ending)).toBe(key + ending);
      expect(firstAttemptOf(key + ending)).toBe(key + ending);
    }
  }
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
