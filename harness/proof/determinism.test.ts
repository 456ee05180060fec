import { expect, test } from 'vitest';
import { allConditions, type Condition, fewConditions } from './conditions.ts';
import { differences, isDeterministic } from './determinism.ts';

test('the conditions are ten seeds, each number of requests at a time, and each sequence', () => {
  const values = (conditions: readonly Condition[]) => ({
    seeds: new Set(conditions.map(({ seed }) => seed)).size,
    concurrency: [...new Set(conditions.map(({ concurrency }) => concurrency))],
    sequences: new Set(conditions.map(({ sequence }) => JSON.stringify(sequence))).size,
    slowest: Math.max(...conditions.map(({ latencyMs = 0 }) => latencyMs)),
  });
  const every = { seeds: 11, concurrency: [1, 4, 64], sequences: 4, slowest: 300 };
  expect(values(fewConditions)).toEqual(every);
  expect(values(allConditions)).toEqual(every);
  expect(allConditions).toHaveLength(10 * 3 * 4 + 1);
});

test('a verdict that changes, or is missing, is named, and a fault that survives', () => {
  const before = new Map([
    ['s/a.b', { state: 'pass' }],
    ['s/a.c', { state: 'pass' }],
  ] as const);
  const after = new Map([['s/a.b', { state: 'error', reason: 'TypeError' }]] as const);
  const changed = differences('seed 2', before, after);
  expect(changed).toEqual([
    { condition: 'seed 2', check: 's/a.b', from: 'pass', to: 'error' },
    { condition: 'seed 2', check: 's/a.c', from: 'pass', to: 'excluded' },
  ]);
  expect(differences('seed 2', before, before)).toEqual([]);
  const good = {
    fault: 'a.fault',
    conditions: 7,
    unjudged: 0,
    judged: 2,
    changed: [],
    survived: [],
  };
  expect(isDeterministic(good)).toBe(true);
  expect(isDeterministic({ ...good, judged: 0 })).toBe(false);
  expect(isDeterministic({ ...good, unjudged: 1 })).toBe(false);
  expect(isDeterministic({ ...good, changed })).toBe(false);
  expect(isDeterministic({ ...good, survived: [{ condition: 'seed 2', id: 's/a.b' }] })).toBe(
    false,
  );
});
