import { expect, test } from 'vitest';
import { outcomeOf } from '../../kernel/engine/capture.ts';
import { scenario } from '../../kernel/engine/scenario.ts';
import { checkOn, liveRun, reference } from '../../kernel/engine/testing.ts';
import { expect as expectExchange } from '../../kernel/judge/expect.ts';
import { answerOf } from '../../kernel/protocols/answer.ts';
import { mutated } from './mutation.ts';
import { tryMutations } from './try-mutations.ts';

const cost = { requests: 1, generations: 0 };

const listed = scenario('t/listed', { cost }, ({ lists }) => lists.list());

const careful = checkOn('t/careful', listed, (list) => expectExchange(list).toBeServed());

/** Takes for granted what a gateway need not send. */
const careless = checkOn('t/careless', listed, (list) => {
  const { data } = answerOf(list).value as { data: { id: string }[] };
  for (const { id } of data) id.trim();
});

test('a judgement that an answer breaks is named, and comes again by the seed', async () => {
  const { target } = await reference();
  const tried = [];
  for (const seed of [1, 1, 2]) {
    const { run, traffic } = liveRun(target, { seed });
    tried.push(await tryMutations(run, [careful, careless], 24));
    expect(traffic.requests).toBe(1);
  }
  const [first, again, other] = tried;
  expect(new Set(first?.broken.map(({ check }) => check))).toEqual(new Set(['t/careless']));
  expect(first?.broken[0]?.reason).toContain('TypeError');
  expect(again?.broken.map(({ round }) => round)).toEqual(first?.broken.map(({ round }) => round));
  expect(other?.mutated).toBeGreaterThan(0);
  expect(first?.verdicts).toBe(48);
});

test('answers are changed in every part, and what was asked stays', async () => {
  const { target } = await reference();
  const outcome = await outcomeOf(liveRun(target).run, listed);
  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  const whole = outcome.captured;
  const parts = new Set<string>();
  let state = 7;
  const draw = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let count = 0; count < 200; count++) {
    const { request, response } = mutated(whole, draw);
    expect(request).toBe(whole.request);
    if (response?.status !== whole.response?.status) parts.add('status');
    if (response?.headers !== whole.response?.headers) parts.add('headers');
    if (response?.body !== whole.response?.body) parts.add('body');
  }
  expect(parts).toEqual(new Set(['status', 'headers', 'body']));
});
