import { expect, test } from 'vitest';
import { Inconclusive } from '../judge/failure.ts';
import { outcomeOf, outcomeOn } from './capture.ts';
import { planCheck } from './plan.ts';
import { scenario, scenariosIn, view } from './scenario.ts';
import { checkOn, liveRun, reference } from './testing.ts';

const one = { requests: 1, generations: 0 };
const list = scenario('t/list', { cost: one }, async ({ lists }) => ({ list: await lists.list() }));
const catalog = scenario('t/catalog', { cost: one }, async ({ lists }) => ({
  catalog: await lists.catalog(),
}));

const both = view({ list, catalog }, ({ list: { list }, catalog: { catalog } }) => [list, catalog]);
const first = view({ both, list }, ({ both: [answer], list: { list } }) => answer === list);
const nothing = view({ both }, () => {
  throw new Inconclusive('nothing is to be seen', null);
});

test('a view joins what scenarios captured, views of views too, and sends nothing', async () => {
  const { target, requestCount } = await reference();
  const { run } = liveRun(target);
  const next = scenario(
    't/next',
    { after: { first, both }, cost: one },
    async ({ lists }, seen) => {
      await lists.list();
      return seen.first && seen.both.length;
    },
  );
  expect(await outcomeOn(run, first)).toMatchObject({ captured: true });
  expect(await outcomeOn(run, { first, list })).toMatchObject({ captured: { first: true } });
  expect(await outcomeOf(run, next)).toMatchObject({ captured: 2 });
  expect(requestCount()).toBe(3);
});

test('a plan has the scenarios of a view, each once, and not the view', async () => {
  const { target } = await reference();
  expect(scenariosIn(first)).toEqual([list, catalog]);
  const { scenarios, judgedOn } = planCheck(
    checkOn('t/both', { first, both }, () => {}),
    target,
  );
  expect(scenarios.map(({ name }) => name)).toEqual([
    't/list',
    't/catalog',
    'asked-again/free',
    'asked-again/free-alone',
  ]);
  expect(judgedOn).toEqual(['t/list', 't/catalog']);
});

test('where a view shows nothing, the check and the scenario behind it say why', async () => {
  const { target, requestCount } = await reference();
  const { run } = liveRun(target);
  const behind = scenario('t/behind', { after: { nothing }, cost: one }, async ({ lists }) =>
    lists.list(),
  );
  const why = { kind: 'inconclusive', reason: 'nothing is to be seen' };
  expect(await outcomeOn(run, { nothing })).toMatchObject(why);
  expect(await outcomeOf(run, behind)).toMatchObject(why);
  expect(requestCount()).toBe(2);
});
