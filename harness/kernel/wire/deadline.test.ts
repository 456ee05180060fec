import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';

test('a deadline passes once, by its timer or as data arrives; time without this process does not count', async () => {
  const passed: string[] = [];
  const [, byData, cleared] = ['timer', 'data', 'cleared'].map(
    (name) => new Deadline(300, () => passed.push(name)),
  );
  const stopped = new Deadline(1_500, () => passed.push('stopped'));
  cleared?.clear();
  const block = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  block(310);
  byData?.look();
  byData?.look();
  expect(passed).toEqual(['data']);
  await delay(20);
  expect(passed).toEqual(['data', 'timer']);
  block(2_100);
  await delay(500);
  cleared?.look();
  expect(passed).toEqual(['data', 'timer']);
  await delay(1_000);
  expect(passed).toEqual(['data', 'timer', 'stopped']);
  stopped.clear();
});
