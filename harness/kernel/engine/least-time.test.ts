import { expect, test } from 'vitest';
import { deadlineMs, expectedMs, leastMs } from './plan.ts';
import { targetAt } from './testing.ts';

const plan = { requests: 140, hostileRequests: 40 };

test.each([
  [{ requestsPerSecond: 20, hostilePerSecond: 5 }, 13_000],
  [{ requestsPerSecond: 2, hostilePerSecond: 5 }, 70_000],
  [{ requestsPerSecond: 20, hostilePerSecond: null }, 7_000],
  [{ requestsPerSecond: null, hostilePerSecond: 4 }, 10_000],
  [{ requestsPerSecond: null, hostilePerSecond: null }, null],
])('the least time that a pace allows: %o', (limits, expected) => {
  expect(leastMs(plan, targetAt('http://gateway.example', limits))).toBe(expected);
});

test.each([
  // 100 at 20, 100 at 40, then 80; and 16 hostile ones at 5, 16 at 10, then 20.
  [
    { mostRequestsPerSecond: 80, mostHostilePerSecond: 20 },
    5_000 + 2_500 + 2_000 + 3_200 + 1_600 + 400,
  ],
  // A rate that the file sets does not grow.
  [{}, 18_000 + 8_000],
  [{ requestsPerSecond: null, hostilePerSecond: null }, null],
])('the expected time at a pace that may grow: %o', (limits, expected) => {
  const rates = { requestsPerSecond: 20, hostilePerSecond: 5, ...limits };
  const target = targetAt('http://gateway.example', rates);
  expect(expectedMs({ expectedRequests: 400, hostileRequests: 40 }, target)).toBe(expected);
});

test.each([
  // Nothing ends sooner than in ten minutes.
  [{}, { requests: 140, longestChain: 3 }, 10],
  // Eight at once, each a quarter of a minute; and a chain of twenty minutes, and two of patience.
  [{ concurrency: 8, timeoutMs: 60_000 }, { requests: 1_920, longestChain: 20 }, 60 + 20 + 2],
  [
    { concurrency: 8, timeoutMs: 60_000, requestsPerSecond: 1 },
    { requests: 1_920, longestChain: 20 },
    60 + 20 + 2 + 32,
  ],
])('a run ends by itself when no usable gateway would take so long: %o', (limits, own, minutes) => {
  const target = targetAt('http://gateway.example', { patienceMs: 120_000, ...limits });
  expect(deadlineMs({ ...plan, hostileRequests: 0, ...own }, target)).toBe(minutes * 60_000);
});
