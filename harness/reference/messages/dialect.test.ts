import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { type ReferenceGateway, startReference } from '../start.ts';
import { bearer, get, post, type Received } from '../testing-requests.ts';

let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
});
afterAll(() => gateway.close());

const version = { 'vendorA-version': '2023-06-01' };
const messages = [{ role: 'user', content: 'Say something.' }];
const good = { model: 'ts-omni', max_tokens: 64, messages };
const weather = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const path = '/v1/messages';

function url(path: string): string {
  return `${gateway.regions[0]?.baseUrl}${path}`;
}

function send(path: string, body: Json, key = gateway.keys.owner): Promise<Received> {
  return post(url(path), { 'x-api-key': key, ...version }, body);
}

test('answers with a message', async () => {
  const { status, headers, json } = await send(path, good);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('request-id')).toMatch(/^req_/);
  expect(json).toMatchObject({
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'assistant',
    model: 'ts-omni',
    content: [{ type: 'text', text: expect.stringMatching(/^[A-Z].*\.$/) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
  });
});

test('streams the same text in named events', async () => {
  const whole = Object((await send(path, good)).json);
  const { headers, events } = await send(path, { ...good, stream: true });
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  const data = events.map((event) => JSON.parse(event.data));
  expect(events.map(({ name }) => name)).toEqual(data.map(({ type }) => type));
  const tokens = whole.usage.output_tokens;
  expect(events.map(({ name }) => name)).toEqual([
    'message_start',
    'content_block_start',
    ...Array(tokens).fill('content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(data[0].message).toMatchObject({
    content: [],
    stop_reason: null,
    usage: { input_tokens: whole.usage.input_tokens },
  });
  expect(data.map(({ delta }) => delta?.text ?? '').join('')).toBe(whole.content[0].text);
  expect(data.at(-2)).toMatchObject({
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: tokens },
  });
});

test('never writes more than max_tokens', async () => {
  expect((await send(path, { ...good, max_tokens: 3 })).json).toMatchObject({
    stop_reason: 'max_tokens',
    usage: { output_tokens: 3 },
  });
});

test('calls the function that is forced, and goes on in text after its result', async () => {
  const forced = { ...good, tools: [weather], tool_choice: { type: 'any' } };
  const { json } = await send(path, forced);
  const { content, stop_reason } = Object(json);
  expect(stop_reason).toBe('tool_use');
  expect(content).toEqual([
    {
      type: 'tool_use',
      id: expect.stringMatching(/^toolu_/),
      name: 'weather',
      input: { city: expect.any(String) },
      caller: { type: 'direct' },
    },
  ]);

  const { events } = await send(path, { ...forced, stream: true });
  const data = events.map((event) => JSON.parse(event.data));
  expect(data[1].content_block).toMatchObject({ type: 'tool_use', name: 'weather', input: {} });
  const fragments = data.map(({ delta }) => delta?.partial_json ?? '');
  expect(fragments.filter((fragment) => fragment !== '').length).toBeGreaterThan(1);
  expect(JSON.parse(fragments.join(''))).toEqual(content[0].input);

  const result = { type: 'tool_result', tool_use_id: content[0].id, content: 'blue' };
  const after = await send(path, {
    ...forced,
    messages: [...messages, { role: 'assistant', content }, { role: 'user', content: [result] }],
  });
  expect(after.json).toMatchObject({ content: [{ type: 'text' }], stop_reason: 'end_turn' });
});

test('counts what a message would read, without max_tokens and without a charge', async () => {
  const body = { model: 'ts-omni', messages, system: 'Be brief.', tools: [weather] };
  const id = crypto.randomUUID();
  const counted = await post(
    url(`${path}/count_tokens`),
    { 'x-api-key': gateway.keys.owner, ...version, 'x-client-request-id': id },
    body,
  );
  const { json } = await send(path, { ...body, max_tokens: 16 });
  expect(counted.json).toEqual({ input_tokens: Object(json).usage.input_tokens });
  const ledger = await get(`${gateway.probes.ledger.url[0]}?client_request_id=${id}`);
  expect(ledger.json).toMatchObject({ records: [{ operation: 'count', charge: 0 }] });
});

describe('refuses, with the native error,', () => {
  const { max_tokens: _, ...withoutLimit } = good;
  test.for<[what: string, status: number, type: string, body: Json]>([
    ['an unknown model', 404, 'not_found_error', { ...good, model: 'nope' }],
    [
      'a model that does not declare it',
      400,
      'invalid_request_error',
      { ...good, model: 'ts-chat' },
    ],
    [
      'a stream that the channel lacks',
      400,
      'invalid_request_error',
      { ...good, model: 'ts-plain', stream: true },
    ],
    [
      'tools that the channel lacks',
      400,
      'invalid_request_error',
      { ...good, model: 'ts-plain', tools: [weather] },
    ],
    ['a body without model', 400, 'invalid_request_error', { max_tokens: 16, messages }],
    ['a body without max_tokens', 400, 'invalid_request_error', withoutLimit],
    ['the same for a stream', 400, 'invalid_request_error', { ...withoutLimit, stream: true }],
    ['a body without messages', 400, 'invalid_request_error', { ...good, messages: null }],
    ['messages of a wrong type', 400, 'invalid_request_error', { ...good, messages: 42 }],
    ['no messages', 400, 'invalid_request_error', { ...good, messages: [] }],
    [
      'content of a wrong type',
      400,
      'invalid_request_error',
      { ...good, messages: [{ role: 'user', content: 42 }] },
    ],
    [
      'an unknown role',
      400,
      'invalid_request_error',
      { ...good, messages: [{ role: 'tool', content: 'x' }] },
    ],
    [
      'the result of a call that was never made',
      400,
      'invalid_request_error',
      {
        ...good,
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }],
      },
    ],
    [
      'a forced function that is not declared',
      400,
      'invalid_request_error',
      { ...good, tool_choice: { type: 'tool', name: 'x' } },
    ],
    ['a negative limit', 400, 'invalid_request_error', { ...good, max_tokens: -1 }],
    ['a huge limit', 400, 'invalid_request_error', { ...good, max_tokens: 1e308 }],
    ['malformed JSON', 400, 'invalid_request_error', '{"model": "ts-om'],
    ['an empty body', 400, 'invalid_request_error', ''],
    ['a list', 400, 'invalid_request_error', []],
  ])('%s', async ([, status, type, body]) => {
    const received = await send(path, body);
    expect(received.status).toBe(status);
    expect(received.headers.get('content-type')).toBe('application/json');
    expect(received.json).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: received.headers.get('request-id'),
    });
  });

  test('a count where the channel has none', async () => {
    const { status } = await send(`${path}/count_tokens`, { model: 'ts-plain', messages });
    expect(status).toBe(400);
  });

  test('no key, an unknown key, and a key in another place', async () => {
    const { owner } = gateway.keys;
    for (const headers of [{}, { 'x-api-key': 'ts-key-unknown' }, bearer(owner)]) {
      const received = await post(url(path), { ...headers, ...version }, good);
      expect(received.status).toBe(401);
      expect(received.json).toMatchObject({ error: { type: 'authentication_error' } });
    }
    expect((await post(url(`${path}?key=${owner}`), version, good)).status).toBe(401);
  });

  test.for([{}, { 'vendorA-version': 'latest' }, { 'vendorA-version': '2023-13-01' }])(
    'a version header that is no date: %j',
    async (headers) => {
      for (const endpoint of [path, `${path}/count_tokens`]) {
        const key = { 'x-api-key': gateway.keys.owner };
        expect((await post(url(endpoint), { ...key, ...headers }, good)).status).toBe(400);
      }
    },
  );

  test('sampling parameters in a version that has none', async () => {
    const key = { 'x-api-key': gateway.keys.owner };
    const body = { ...good, temperature: 1 };
    for (const [date, status] of [
      ['2023-06-01', 200],
      ['2026-10-21', 400],
    ] as const) {
      expect(await post(url(path), { ...key, 'vendorA-version': date }, body)).toMatchObject({
        status,
      });
    }
  });

  test('a model that the key may not use', async () => {
    const { status, json } = await send(path, good, gateway.keys.restricted);
    expect(status).toBe(403);
    expect(json).toMatchObject({ error: { type: 'permission_error' } });
  });

  test('storage: a message cannot be looked up', async () => {
    const { id } = Object((await send(path, good)).json);
    const key = { 'x-api-key': gateway.keys.owner, ...version };
    expect((await get(url(`${path}/${id}`), key)).status).toBe(404);
  });
});

test('takes its header from the publisher name it is started with', async () => {
  const other = await startReference({ names: { vendorA: 'acme', vendorB: 'b' }, regions: ['eu'] });
  try {
    const address = `${other.regions[0]?.baseUrl}${path}`;
    const key = { 'x-api-key': other.keys.owner };
    expect((await post(address, { ...key, 'acme-version': '2023-06-01' }, good)).status).toBe(200);
    expect((await post(address, { ...key, ...version }, good)).status).toBe(400);
  } finally {
    await other.close();
  }
});
