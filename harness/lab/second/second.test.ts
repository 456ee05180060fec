import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript has no declarations.
import { inStates, judge, noticeable } from './judge.mjs';

test('the second gateway is conformant, without a warning', { timeout: 600_000 }, async () => {
  const result = await judge();
  expect(inStates(result, 'fail', 'warn', 'inconclusive', 'untestable')).toEqual([]);
  expect(result.verdict).toBe('conformant');
  expect(inStates(result, 'pass').length).toBeGreaterThan(1_300);
});

test.each<string>(noticeable)('its fault %s is noticed', { timeout: 120_000 }, async (fault) => {
  expect(inStates(await judge(fault), 'fail', 'warn')).not.toEqual([]);
});
