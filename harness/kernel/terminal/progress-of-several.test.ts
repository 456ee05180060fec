import { expect, test } from 'vitest';
import type { Progress } from '../engine/progress.ts';
import { ProgressOfSeveral } from './progress-of-several.ts';

const one: Progress = {
  ...{ scenarios: 4, scenariosDone: 2, inFlight: 1, requests: 10 },
  ...{ checks: 8, judged: 3, failed: 1, suites: [] },
};

test('what the targets have come to is added up, each a row', () => {
  const several = new ProgressOfSeveral(['eu', 'us']);
  several.update('eu', one);
  const both = several.update('us', one);
  expect(both).toMatchObject({ requests: 20, checks: 16, judged: 6, failed: 2 });
  expect(both.suites.map(({ suite }) => suite)).toEqual(['eu', 'us']);
  expect(both).not.toHaveProperty('round');
});

test('of targets that are judged in rounds it tells the round in which the last of them is', () => {
  const several = new ProgressOfSeveral(['eu', 'us']);
  several.update('eu', { ...one, round: { number: 3, of: 5 } });
  const both = several.update('us', { ...one, round: { number: 2, of: 5 } });
  expect(both.round).toEqual({ number: 2, of: 5 });
});
