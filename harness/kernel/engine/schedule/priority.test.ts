import { expect, test } from 'vitest';
import { type Scenario, scenario } from '../scenario.ts';
import { targetAt } from '../testing.ts';
import { chainHeights } from './priority.ts';

function flow(
  name: string,
  requests: number,
  after: Record<string, Scenario> = {},
  chain?: number,
) {
  const cost = { requests, generations: 0, ...(chain === undefined ? {} : { chain }) };
  return scenario(name, { after, cost }, async () => undefined);
}

test('a scenario is as high as the longest chain that depends on it, itself included', () => {
  const root = flow('root', 2);
  const wide = flow('wide', 10, { root }, 1);
  const long = flow('long', 4, { root });
  const top = flow('top', 1, { wide });
  const alone = flow('alone', 5);
  const heights = chainHeights([root, wide, long, top, alone], targetAt('http://127.0.0.1:1'));
  expect([...heights].map(([{ name }, height]) => [name, height])).toEqual(
    expect.arrayContaining([
      ['root', 6],
      ['wide', 2],
      ['long', 4],
      ['top', 1],
      ['alone', 5],
    ]),
  );
});

test('what a scenario costs may depend on the target', () => {
  const each = scenario(
    'each',
    { cost: ({ models }) => ({ requests: models.length + 2, generations: 0 }) },
    async () => undefined,
  );
  const heights = chainHeights([each], targetAt('http://127.0.0.1:1'));
  expect(heights.get(each)).toBe(3);
});
