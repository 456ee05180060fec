import { expect, test } from 'vitest';
import { continuesOf, generationsOf, type History, requestsOf } from './history.ts';
import { actOn, create } from './testing.ts';

test('what a history costs at most is known before', () => {
  const asked = { actor: 'owner', region: 'here' } as const;
  const history: History = {
    steps: [
      [{ ...create, mode: 'websocket', secondTurn: true }],
      [{ ...create, n: 1, previous: 0 }, actOn(2, 'compact', { requestMode: 'body' })],
      [actOn(3, 'lookup'), actOn(4, 'item-reference', { requestMode: 'body' })],
      [{ ...asked, n: 5, kind: 'ask', endpoint: 'messages', stream: true, model: 'm' }],
      [{ ...asked, n: 6, kind: 'ask', endpoint: 'count-tokens', stream: false, model: 'm' }],
      [{ ...asked, n: 7, kind: 'ledger', requests: 20 }],
    ],
  };
  expect(generationsOf(history)).toBe(6);
  expect(requestsOf(history)).toBe(27);
  // The second turn, the continuation and the compact call: each may meet a node that lags.
  expect(continuesOf(history)).toBe(3);
});
