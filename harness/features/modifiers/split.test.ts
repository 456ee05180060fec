import { expect, test } from 'vitest';
import { addUp, type PlannedCheck, type PlannedScenario } from '../../kernel/engine/plan.ts';
import { plannedScenario as scenario } from '../../kernel/engine/testing.ts';
import { split } from './split.ts';

function checkOn(id: string, ...scenarios: PlannedScenario[]): PlannedCheck {
  return { id, level: 'MUST', judgedOn: scenarios.slice(0, 1).map(({ name }) => name), scenarios };
}

/** Scenarios of every size, some of which build on a shared one; two checks on each. */
const base = scenario('base', 10);
const plan = addUp(
  Array.from({ length: 40 }, (_, index) => {
    const own = scenario(`s${index}`, 1 + (index % 7));
    const all = index % 5 === 0 ? [own, base] : [own];
    return [checkOn(`a/${index}.one`, ...all), checkOn(`a/${index}.two`, ...all)];
  }).flat(),
);

test('every check is in exactly one part, beside those of its scenario', () => {
  for (const count of [1, 2, 3, 7]) {
    const shards = split(plan, count);
    expect(shards).toHaveLength(count);
    const ids = shards.flatMap((shard) => shard.ids);
    expect(ids.sort()).toEqual(plan.checks.map(({ id }) => id).sort());
    for (const shard of shards) {
      const scenarios = new Set(shard.ids.map((id) => id.replace(/\..*/, '')));
      expect(shard.ids).toHaveLength(scenarios.size * 2);
    }
  }
});

test('parts cost about the same, and what they share is not sent everywhere', () => {
  const shards = split(plan, 3);
  const costs = shards.map(({ cost }) => cost);
  expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(2);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  expect(total).toBeGreaterThanOrEqual(plan.requests);
  expect(total).toBeLessThan(plan.requests + 2 * base.requests + 1);
});

test('one part costs what the whole does', () => {
  expect(split(plan, 1)[0]?.cost).toBe(plan.requests);
});

test('what hangs together stays together where that is even', () => {
  const group = (name: string) => [scenario(`${name}1`, 1), scenario(name, 50)];
  const other = (name: string) => [scenario(`${name}2`, 1), scenario(name, 50)];
  const tied = addUp([
    checkOn('a/a.one', ...group('a')),
    checkOn('a/b.one', ...group('b')),
    checkOn('a/a.two', ...other('a')),
    checkOn('a/b.two', ...other('b')),
  ]);
  expect(split(tied, 2)).toEqual([
    { ids: ['a/a.one', 'a/a.two'], cost: 52 },
    { ids: ['a/b.one', 'a/b.two'], cost: 52 },
  ]);
});

test('what nothing is sent for costs nothing, and is still in one part', () => {
  const obstacle = {
    kind: 'untestable',
    reason: 'no key',
    gap: { kind: 'key', names: ['otherUser'] },
  } as const;
  const blocked = checkOn('a/x.one', { ...scenario('x', 90), obstacle });
  const shards = split(addUp([blocked, checkOn('a/y.one', scenario('y', 1))]), 2);
  expect(shards.map(({ cost }) => cost).sort()).toEqual([0, 1]);
  expect(shards.flatMap(({ ids }) => ids).sort()).toEqual(['a/x.one', 'a/y.one']);
});
