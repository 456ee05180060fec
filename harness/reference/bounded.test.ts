import { expect, test } from 'vitest';
import { Bounded, noLimits } from './bounded.ts';
import { ask, reference } from './responses/testing.ts';

test('the oldest go when there are too many, or too much', () => {
  const kept = new Bounded<string>({ count: 3, bytes: 100 });
  for (const name of ['a', 'b', 'c', 'd']) kept.put(name, name, 10);
  expect([...kept.values()]).toEqual(['b', 'c', 'd']);
  kept.put('e', 'e', 85);
  expect([...kept.values()]).toEqual(['d', 'e']);
  kept.put('too-large', 'too-large', 101);
  expect([...kept.values()]).toEqual(['d', 'e']);
  kept.clear();
  kept.put('f', 'f', 1);
  kept.put('g', 'g', 1);
  kept.put('f', 'f again', 1);
  expect([...kept.values()]).toEqual(['g', 'f again']);
  expect([kept.delete('g'), kept.delete('g'), kept.get('g'), kept.bytes]).toEqual([
    true,
    false,
    undefined,
    1,
  ]);
  kept.clear();
  kept.put('h', 'h', 100);
  kept.put('i', 'i', 100);
  expect([...kept.values()]).toEqual(['i']);
});

test('a hundred thousand take no longer than their number', () => {
  const kept = new Bounded<number>({ count: 1000, bytes: Number.POSITIVE_INFINITY });
  const all = new Bounded<number>(noLimits);
  for (let n = 0; n < 100_000; n++) {
    kept.put(String(n), n, 1);
    all.put(String(n), n, 1);
  }
  expect([kept.size, kept.get('99000'), kept.get('98999')]).toEqual([1000, 99_000, undefined]);
  expect(all.size).toBe(100_000);
});

test('a stored response that went to make room is not found, and cannot be continued', async () => {
  const limits = { responses: { count: 2, bytes: 1e6 }, records: { count: 2, bytes: 1e6 } };
  await using gateway = await reference({ limits });
  const body = { model: 'ts-omni', input: 'Say something.', store: true };
  const headers = { 'x-client-request-id': 'first' };
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push(String((await ask(gateway, 'POST', '/v1/responses', body, { headers })).body.id));
  }
  const statuses = ids.map(async (id) => (await ask(gateway, 'GET', `/v1/responses/${id}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
  const further = { ...body, previous_response_id: ids[0] ?? '' };
  expect((await ask(gateway, 'POST', '/v1/responses', further)).status).toBe(400);
  const ledger = await ask(gateway, 'GET', '/_touchstone/ledger?client_request_id=first');
  expect(ledger.body.records).toHaveLength(2);
});

test('a stored response counts as much as it holds, with the turns before it', async () => {
  const limits = { responses: { count: 10, bytes: 60_000 } };
  await using gateway = await reference({ limits });
  const body = { model: 'ts-omni', input: 'a '.repeat(10_000) };
  const first = await ask(gateway, 'POST', '/v1/responses', body);
  const path = `/v1/responses/${first.body.id}`;
  expect((await ask(gateway, 'GET', path)).status).toBe(200);
  const next = { ...body, input: 'And?', previous_response_id: first.body.id };
  const second = await ask(gateway, 'POST', '/v1/responses', next);
  expect((await ask(gateway, 'GET', path)).status).toBe(404);
  expect((await ask(gateway, 'GET', `/v1/responses/${second.body.id}`)).status).toBe(200);
});
