import { expect, test } from 'vitest';
import { leastMs } from './plan.ts';
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
