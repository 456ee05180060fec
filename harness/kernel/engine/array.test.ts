import { expect, test } from 'vitest';
import { streamingProtocols } from '../core/index.ts';
import { referenceTarget } from '../targets/index.ts';
import { arrayAt } from './array.ts';

const { target, close } = await referenceTarget({});
await close();

test('every pair of features is tried over each protocol, mostly in requests that stand anyway', () => {
  for (const protocol of streamingProtocols) {
    const { rows, pairs, untried } = arrayAt(protocol, target);
    expect(untried).toEqual([]);
    for (const pair of pairs) {
      const parts = pair.split(' ').map((part) => part.split('='));
      const has = rows.some(({ chosen }) => parts.every(([name = '', is]) => chosen[name] === is));
      expect([protocol, pair, has]).toEqual([protocol, pair, true]);
    }
  }
  const all = streamingProtocols.map((one) => arrayAt(one, target)).flatMap(({ rows }) => rows);
  const added = all.filter(({ carrier }) => carrier === null);
  expect(added.length).toBeLessThanOrEqual(3);
});

test('a model that supports nothing gets no feature that needs a capability', () => {
  const plain = target.models.find(({ supports }) => supports.length === 0);
  if (plain === undefined) throw new Error('the reference has a plain model');
  for (const protocol of streamingProtocols) {
    const row = arrayAt(protocol, target).carriedBy(plain);
    expect(row?.chosen).toMatchObject({ mode: 'body', tools: 'no', thinking: 'no', output: 'no' });
  }
});

test('a feature that no model offers is left out, with the reason', () => {
  const models = target.models.map((model) => ({ ...model, supports: [] }));
  const { pairs, left } = arrayAt('messages', {
    ...target,
    models,
    regions: target.regions.slice(0, 1),
  });
  expect(pairs.some((pair) => /tools|stream|region/.test(pair))).toBe(false);
  expect(Object.fromEntries(left)).toMatchObject({
    'tools=forced': 'no model of messages is said to support tools',
    'region=other': 'one region is judged',
    'usage=asked': 'messages documents no form',
  });
});
