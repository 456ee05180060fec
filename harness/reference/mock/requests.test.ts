import { expect, test } from 'vitest';
import { ask, reference, send } from '../responses/testing.ts';
import { open, turn } from '../responses/testing-socket.ts';
import type { ReferenceOptions } from '../start.ts';
import type { RequestEntry } from './requests.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64 };
const faults: ReferenceOptions['faults'] = {
  shelf: { find: async () => undefined, hint: async () => '', list: async () => [] },
};

test('keeps what was asked and what became of it, without any key', async () => {
  const told: RequestEntry[] = [];
  await using gateway = await reference({
    faults,
    journal: { ended: (entry) => void told.push(entry) },
  });
  const { owner } = gateway.keys;
  await ask(gateway, 'POST', `${path}?key=${owner}&trace=1`, good, {
    headers: { 'x-client-request-id': 'one', 'x-odd': owner, 'x-tag': 'kept' },
  });
  await ask(gateway, 'POST', path, good, { headers: { 'x-touchstone-fault': 'status:503' } });
  await ask(gateway, 'GET', '/v1/models', undefined, { key: 'otherUser', region: 1 });
  await ask(gateway, 'GET', '/v1/nothing');
  await expect.poll(() => told).toHaveLength(4);
  const { body } = await ask(gateway, 'GET', '/_touchstone/requests');
  expect(body.requests).toMatchObject([
    {
      number: 1,
      method: 'POST',
      path,
      query: { trace: '1' },
      headers: { 'x-tag': 'kept', 'content-type': 'application/json' },
      region: 'eu',
      protocol: 'responses',
      operation: 'responses.create',
      key: 'owner',
      client_request_id: 'one',
      model: 'ts-omni',
      body: good,
      body_bytes: JSON.stringify(good).length,
      status: 200,
      ms: expect.any(Number),
      cut: false,
      faults: [],
      rule: null,
    },
    { number: 2, status: 503, faults: ['status:503'], key: 'owner' },
    { number: 3, region: 'us', status: 200, key: 'otherUser', body: null },
    { number: 4, operation: 'none', status: 404 },
  ]);
  expect(JSON.stringify(body)).not.toContain(owner);
  expect(told).toEqual(gateway.requests());
});

test('what fits is found; all is forgotten on demand', async () => {
  await using gateway = await reference({ journal: {} });
  await ask(gateway, 'POST', path, good);
  await ask(gateway, 'GET', '/v1/models');
  await ask(gateway, 'POST', path, { ...good, model: 'nope' });
  await expect.poll(() => gateway.requests({ status: 400 })).toHaveLength(1);
  const found = async (query: string): Promise<unknown> => {
    const { body } = await ask(gateway, 'GET', `/_touchstone/requests?${query}`);
    return Array.isArray(body.requests) ? body.requests.map(({ number }) => number) : body;
  };
  expect(await found('protocol=responses')).toEqual([1, 3]);
  expect(await found('path=/v1')).toEqual([1, 2, 3]);
  expect(await found('path=/v1/resp')).toEqual([]);
  expect(await found('status=4xx')).toEqual([3]);
  expect(await found('model=ts-omni&status=200')).toEqual([1]);
  expect(await found('since=1')).toEqual([2, 3]);
  expect(await found('since=2999-01-01')).toEqual([]);
  for (const [query, why] of [
    ['stauts=1', "filter 'stauts'"],
    ['since=soon', "'since' has to be"],
    ['protocol=mesages', 'there are responses, chat-completions, messages'],
    ['region=de', 'there are eu, us'],
    ['key=me', 'there are owner'],
    ['status=abc', "'status' has to be"],
    ['path=v1', 'begin with a slash'],
  ]) {
    const message = expect.stringContaining(why ?? '');
    expect(await found(query ?? '')).toEqual({ error: { message } });
  }
  // A filter that nothing could fit would prove nothing in a test.
  expect(() => gateway.requests({ protocol: 'mesages' })).toThrow('there are responses');
  expect((await ask(gateway, 'DELETE', '/_touchstone/requests?status=400')).status).toBe(400);
  expect((await ask(gateway, 'DELETE', '/_touchstone/requests')).body).toEqual({ deleted: 3 });
  expect(gateway.requests()).toEqual([]);
});

test('is bounded by a count and by bytes', async () => {
  await using gateway = await reference({ journal: { count: 3, bytes: 9000 } });
  for (let n = 0; n < 5; n++) await ask(gateway, 'GET', '/v1/models');
  expect(gateway.requests().map(({ number }) => number)).toEqual([3, 4, 5]);
  const input = 'word '.repeat(80);
  for (let n = 0; n < 4; n++) await ask(gateway, 'POST', path, { ...good, input });
  const kept = gateway.requests();
  expect(kept.map(({ number }) => number)).toEqual([7, 8, 9]);
  await ask(gateway, 'POST', path, { ...good, input: input.repeat(9) });
  expect(gateway.requests().at(-1)).toMatchObject({ body: null, body_bytes: expect.any(Number) });
});

test('a turn on a WebSocket and a refused upgrade are requests, too', async () => {
  await using gateway = await reference({ journal: {} });
  await using socket = await open(gateway);
  socket.say(turn);
  await socket.turn();
  const refused = open(gateway, 'nobody');
  await expect(refused).rejects.toThrow('401');
  await expect
    .poll(() => gateway.requests())
    .toMatchObject([
      { method: 'WebSocket', path, model: 'ts-omni', status: 200, key: 'owner' },
      { status: 401 },
    ]);
});

test('without a journal there is none', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'GET', '/_touchstone/requests')).status).toBe(404);
  expect(gateway.requests()).toEqual([]);
});

test('metrics count requests, streams in flight, tokens and stored responses', async () => {
  await using gateway = await reference({ journal: {} });
  await ask(gateway, 'POST', path, good);
  const long = { ...good, input: 'Write 4000 words.', max_output_tokens: 5000, stream: true };
  const leaving = await send(gateway, 'POST', path, long);
  const text = await (await send(gateway, 'GET', '/_touchstone/metrics')).text();
  await leaving.body?.cancel();
  const labels = 'region="eu",protocol="responses",operation="responses.create",status="200"';
  expect(text).toContain(`touchstone_requests_total{${labels}} 1\n`);
  expect(text).toContain('touchstone_streams_in_flight 1\n');
  expect(text).toContain('touchstone_stored_responses 2\n');
  expect(text).toMatch(
    /^touchstone_tokens_total\{region="eu",protocol="responses",direction="input"\} \d+$/m,
  );
  // As the format wants it: each name once with its help and its type, and a line break at the end.
  expect(text.match(/^# HELP (\S+)/gm)).toHaveLength(8);
  expect(text.endsWith('\n')).toBe(true);
});
