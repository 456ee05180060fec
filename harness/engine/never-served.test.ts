import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { neverServed } from './never-served.ts';
import { answered, targetAt } from './testing.ts';

const target = targetAt('http://gateway', { timeoutMs: 1_000 });
const row = 'storage/responses.lookup-served';

function get(key: string, operation: string, fields: Partial<Exchange> = {}): Exchange {
  const own = answered('{}', fields);
  const url = `http://gateway/v1/${operation === 'responses.lookup' ? 'responses/r' : 'models'}`;
  return {
    ...own,
    key: `${key}#main/0`,
    about: { ...own.about, operation },
    request: { ...own.request, method: 'GET', url, body: null },
  };
}

function late(key: string): Exchange {
  const failure = { kind: 'timeout', message: 'nothing came' } as const;
  const times = { started: 0, headers: null, ended: 1_000 };
  return get(key, 'responses.lookup', { response: null, failure, times });
}

function judged(check: string, exchanges: readonly Exchange[], isExpected = true): unknown {
  const [first] = exchanges;
  if (first === undefined) throw new Error('There is nothing to judge');
  return neverServed(first, { check, isExpected, target }, exchanges);
}

const other = get('other', 'models.list');
const three = [late('a'), late('b'), late('c')];

test('what is not answered in three of three tries fails the check of its operation', () => {
  expect(judged(row, [...three, other])).toMatchObject({
    expected: 'an answer to GET /v1/responses/r in one of 3 tries',
  });
});

test('once is a time-out, and so is twice', () => {
  expect(judged(row, [...three.slice(1), other])).toBeNull();
});

test('another check is not about the operation', () => {
  expect(judged('storage/deletion.served', [...three, other])).toBeNull();
});

test('nothing is blamed where a try was served, or held back by load', () => {
  const served = get('d', 'responses.lookup');
  expect(judged(row, [...three, served, other])).toBeNull();
  const busy = answered('{"error":{"message":"Try again later."}}').response;
  const held = get('d', 'responses.lookup', {
    response: busy === null ? null : { ...busy, status: 503 },
  });
  expect(judged(row, [...three, held, other])).toBeNull();
});

test('a gateway that answers nobody meanwhile was out', () => {
  expect(judged(row, three)).toBeNull();
});

test('a gateway that takes about as long for others is slow', () => {
  const slow = get('slow', 'models.list', { times: { started: 0, headers: 800, ended: 800 } });
  expect(judged(row, [...three, other, slow])).toBeNull();
});
