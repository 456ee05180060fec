import { expect, test } from 'vitest';
import { checkSentOnce } from '../suites/interruption/sent-once.ts';
import type { Exchange } from './kernel/core/exchange.ts';
import { answered } from './kernel/engine/testing.ts';

/** About ourselves, so no fault of a gateway can show that it fails: this does. */

const sent = (id: string) => {
  const exchange = answered('{}');
  const headers = [...exchange.request.headers, ['x-client-request-id', id] as const];
  return { ...exchange, request: { ...exchange.request, headers } };
};

const check = (all: readonly Exchange[]): void => {
  for (const one of all) checkSentOnce(one, all);
};

test('requests with ids of their own were sent once each', () => {
  expect(() => check([sent('a'), sent('b'), sent('c')])).not.toThrow();
});

test('two requests with one id are our mistake', () => {
  expect(() => check([sent('a'), sent('b'), sent('a')])).toThrow(
    'Two requests were sent with the id a',
  );
});
