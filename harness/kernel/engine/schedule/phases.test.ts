import { expect, test } from 'vitest';
import { outcomeOf } from '../capture.ts';
import { type Scenario, type ScenarioOptions, scenario } from '../scenario.ts';
import type { Sequence } from '../session.ts';
import { liveRun, targetAt } from '../testing.ts';
import { startScenarios } from './sequence.ts';

const nothing = { requests: 0, generations: 0 };

/** Starts scenarios of all phases that send nothing, and tells in which order they came. */
async function captured(sequence: Sequence): Promise<string[]> {
  const said: string[] = [];
  const saying = (name: string, options: Partial<ScenarioOptions<Record<string, Scenario>>> = {}) =>
    scenario(name, { cost: nothing, ...options }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      said.push(name);
    });
  const first = saying('first');
  const second = saying('second', { after: { first } });
  const running = saying('running', { expires: true });
  const keyless = saying('keyless', { hostile: 'credentials', after: { running } });
  const { run } = liveRun(targetAt('http://127.0.0.1:1'), { sequence });
  await startScenarios(run, [
    saying('ledger', { last: true }),
    saying('bad body', { hostile: 'input' }),
    saying('deleted', { after: { keyless } }),
    keyless,
    saying('third', { after: { second } }),
  ]);
  await Promise.all(run.outcomes.values());
  return said;
}

test('what a gateway may defend itself against comes when all else is there', async () => {
  const expected = ['first', 'second', 'third', 'running', 'keyless', 'deleted', 'bad body'];
  expect(await captured({})).toEqual([...expected, 'ledger']);
  expect(await captured({ serial: true })).toEqual([...expected, 'ledger']);
  const shuffled = await captured({ shuffle: true });
  expect(shuffled.slice(0, 3)).toEqual(expected.slice(0, 3));
  expect(shuffled.slice(-2)).toEqual(['bad body', 'ledger']);
});

test('what comes after something hostile comes no earlier', () => {
  const bad = scenario('bad', { hostile: 'input', cost: nothing }, async () => undefined);
  const good = scenario('good', { after: { bad }, cost: nothing }, async () => undefined);
  expect(good).toMatchObject({ hostile: null, phase: 'input' });
  expect(good.inRegion('there').phase).toBe('input');
});

const outOfPlace: Readonly<Record<string, Parameters<typeof scenario<unknown>>[2]>> = {
  keyless: ({ lists }) => lists.list({ key: 'none' }),
  misplaced: ({ lists }) => lists.list({ placement: 'query-key' }),
  raw: ({ raw }) => raw.send({ operation: 'x', method: 'POST', path: '/v1/responses', body: '{' }),
};

test.each(Object.entries(outOfPlace))('a scenario has to say that it is %s', async (name, send) => {
  const { run, traffic } = liveRun(targetAt('http://127.0.0.1:1'));
  const cost = { requests: 1, generations: 0 };
  const outcome = await outcomeOf(run, scenario(name, { cost }, send));
  expect(outcome).toMatchObject({
    kind: 'error',
    error: { message: expect.stringContaining('among its options') },
  });
  expect(traffic.requests).toBe(0);
});
