import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-11-22T10:00:00Z');

test.each<[string, Record<string, string>, number | null]>([
  ['seconds', { 'Retry-After': '3' }, 3_000],
  ['a part of a second', { 'retry-after': '0.5' }, 500],
  ['milliseconds, which win', { 'retry-after': '3', 'Retry-After-Ms': '250' }, 250],
  ['a date', { 'retry-after': 'Sun, 22 Nov 2026 10:00:07 GMT' }, 7_000],
  [
    'a date by the clock of the answer',
    { Date: 'Sun, 22 Nov 2026 09:00:00 GMT', 'Retry-After': 'Sun, 22 Nov 2026 09:00:02 GMT' },
    2_000,
  ],
  ['a date that is past', { 'retry-after': 'Sun, 22 Nov 2026 09:00:00 GMT' }, 0],
  ['nothing', { 'content-type': 'text/html' }, null],
  ['something else', { 'retry-after': 'soon' }, null],
  [
    'when a used up limit is reset',
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m1.5s' },
    61_500,
  ],
  [
    'a limit that is not used up',
    { 'x-ratelimit-remaining-tokens': '10', 'x-ratelimit-reset-tokens': '20ms' },
    null,
  ],
])('what is said: %s', (_, headers, expected) => {
  expect(retryAfterMs(Object.entries(headers), now)).toBe(expected);
});
