import { expect, test } from 'vitest';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { continuesOf, generationsOf, type History, requestsOf } from './history.ts';
import { actOn, create } from './testing.ts';
import { worldOf } from './world.ts';

test('what a history costs at most is known before', () => {
  const asked = { actor: 'owner', region: 'here' } as const;
  const history: History = {
    steps: [
      [{ ...create, mode: 'websocket', socket: 0 }],
      [{ ...create, n: 8, previous: 0, mode: 'websocket', socket: 0, loses: true }],
      [actOn(9, 'continue-websocket', { requestMode: 'later-turn' })],
      [{ ...create, n: 1, previous: 0 }, actOn(2, 'compact', { requestMode: 'body' })],
      [actOn(3, 'lookup'), actOn(4, 'item-reference', { requestMode: 'body' })],
      [{ ...asked, n: 5, kind: 'ask', endpoint: 'messages', stream: true, model: 'm' }],
      [{ ...asked, n: 6, kind: 'ask', endpoint: 'count-tokens', stream: false, model: 'm' }],
      [{ ...asked, n: 7, kind: 'ledger', requests: 20 }],
    ],
  };
  expect(generationsOf(history)).toBe(8);
  expect(requestsOf(history)).toBe(29);
  // The turns, the continuation and the compact call: each may meet a node that lags.
  expect(continuesOf(history)).toBe(5);
});

test('a key with few permissions has a model of its own, and of each protocol', async () => {
  const { target, close } = await referenceTarget();
  await close();
  const { models, questions } = worldOf(target);
  const has = ({ permitted }: { permitted: readonly string[] }) => permitted.includes('restricted');
  expect(models.filter(has).map(({ id }) => id)).toEqual(['ts-shared']);
  for (const { endpoint, stream } of questions) {
    const same = questions.filter((one) => one.endpoint === endpoint && one.stream === stream);
    expect(same.some(has), endpoint).toBe(true);
  }
});
