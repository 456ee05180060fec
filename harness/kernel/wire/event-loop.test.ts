import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { longestStallSince, watchEventLoop } from './event-loop.ts';

test('tells how long the event loop stood, and only since a moment', async () => {
  watchEventLoop();
  await delay(60);
  const since = performance.now();
  while (performance.now() - since < 300);
  await delay(60);
  const stood = longestStallSince(since);
  expect(stood).toBeGreaterThanOrEqual(250);
  expect(longestStallSince(performance.now())).toBe(0);
});
