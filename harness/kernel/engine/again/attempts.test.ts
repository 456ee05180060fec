import { expect, test } from 'vitest';
import { Attempts, mostAttempts, mostFurtherAttempts } from './attempts.ts';

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
