import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { type ReferenceGateway, startReference } from '../start.ts';
import { bearer, get, post, type Received } from '../testing-requests.ts';

let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
});
afterAll(() => gateway.close());

const messages = [{ role: 'user', content: 'Say something.' }];
const good = { model: 'ts-omni', max_completion_tokens: 64, messages };
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

function url(path = '/v1/chat/completions'): string {
  return `${gateway.regions[0]?.baseUrl}${path}`;
}

function create(body: Json, key = gateway.keys.owner): Promise<Received> {
  return post(url(), bearer(key), body);
}

test('answers with a completion whose usage adds up', async () => {
  const { status, headers, json } = await create(good);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(json).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: 'ts-omni',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: expect.stringMatching(/^[A-Z].*\.$/),
          refusal: null,
        },
        finish_reason: 'stop',
      },
    ],
  });
  const { usage } = Object(json);
  expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  expect(usage.completion_tokens).toBeGreaterThanOrEqual(8);
});

test('streams the same text in delta chunks, and ends with [DONE]', async () => {
  const whole = Object((await create(good)).json);
  const { headers, events } = await create({ ...good, stream: true });
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(events.every(({ name }) => name === null)).toBe(true);
  expect(events.at(-1)?.data).toBe('[DONE]');
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks[0].choices[0].delta.role).toBe('assistant');
  expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(
    whole.choices[0].message.content,
  );
  const finishes = chunks.map(({ choices }) => choices[0].finish_reason);
  expect(finishes.filter((finish) => finish !== null)).toEqual(['stop']);
  expect(finishes.at(-1)).toBe('stop');
  expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
});

test('with include_usage one chunk without choices has the usage', async () => {
  const whole = Object((await create(good)).json);
  const { events } = await create({
    ...good,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
});

test.for(['max_completion_tokens', 'max_tokens'])('never writes more than %s', async (limit) => {
  const { json } = await create({ model: 'ts-omni', messages, [limit]: 3 });
  expect(json).toMatchObject({
    choices: [{ finish_reason: 'length' }],
    usage: { completion_tokens: 3 },
  });
});

test('calls the function that is forced, and goes on in text after its result', async () => {
  const forced = { ...good, tools: [weather], tool_choice: 'required' };
  const { json } = await create(forced);
  const { message, finish_reason } = Object(json).choices[0];
  expect(finish_reason).toBe('tool_calls');
  expect(message.content).toBeNull();
  const [call] = message.tool_calls;
  expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), type: 'function' });
  expect(call.function.name).toBe('weather');
  expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });

  const { events } = await create({ ...forced, stream: true });
  const deltas = events.slice(0, -1).map(({ data }) => JSON.parse(data).choices[0].delta);
  const parts = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
  expect(parts[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'weather' } });
  expect(parts.map((part) => part.function.arguments).join('')).toBe(call.function.arguments);

  const result = { role: 'tool', tool_call_id: call.id, content: '{"sky":"blue"}' };
  const after = await create({ ...forced, messages: [...messages, message, result] });
  expect(after.json).toMatchObject({
    choices: [{ message: { content: expect.any(String) }, finish_reason: 'stop' }],
  });
});

describe('refuses, with the native error,', () => {
  test.for<[what: string, status: number, body: Json, error: JsonObject]>([
    ['an unknown model', 404, { ...good, model: 'nope' }, { code: 'model_not_found' }],
    ['a model that does not declare it', 400, { ...good, model: 'ts-messages' }, {}],
    ['a stream that the channel lacks', 400, { ...good, model: 'ts-plain', stream: true }, {}],
    ['tools that the channel lacks', 400, { ...good, model: 'ts-plain', tools: [weather] }, {}],
    ['a body without model', 400, { messages }, { param: 'model' }],
    ['a body without messages', 400, { model: 'ts-omni' }, { param: 'messages' }],
    ['messages of a wrong type', 400, { ...good, messages: 42 }, { param: 'messages' }],
    ['no messages', 400, { ...good, messages: [] }, { param: 'messages' }],
    ['a message that is none', 400, { ...good, messages: ['x'] }, { param: 'messages[0]' }],
    [
      'an unknown role',
      400,
      { ...good, messages: [{ role: 'constructor', content: '' }] },
      { param: 'messages[0].role' },
    ],
    [
      'a message without content',
      400,
      { ...good, messages: [{ role: 'user' }] },
      { param: 'messages[0].content' },
    ],
    [
      'the result of a call that was never made',
      400,
      { ...good, messages: [...messages, { role: 'tool', tool_call_id: 'x', content: '' }] },
      { param: 'messages[1].tool_call_id' },
    ],
    [
      'a forced function that is not declared',
      400,
      { ...good, tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } },
      { param: 'tool_choice' },
    ],
    ['a negative limit', 400, { ...good, max_completion_tokens: -1 }, {}],
    ['a huge limit', 400, { ...good, max_completion_tokens: 1e308 }, {}],
    ['choices beyond counting', 400, { ...good, n: 1000 }, { param: 'n' }],
    ['a stream that is no boolean', 400, { ...good, stream: 'yes' }, { param: 'stream' }],
    ['malformed JSON', 400, '{"model": "ts-om', {}],
    ['an empty body', 400, '', {}],
    ['a list', 400, [], {}],
  ])('%s', async ([, status, body, error]) => {
    const received = await create(body);
    expect(received.status).toBe(status);
    expect(received.headers.get('content-type')).toBe('application/json');
    expect(received.json).toEqual({
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: expect.toBeOneOf([null, expect.any(String)]),
        code: expect.toBeOneOf([null, expect.any(String)]),
      },
    });
    expect(received.json).toMatchObject({ error });
  });

  test('a wrong method and an unknown path', async () => {
    expect((await get(url(), bearer(gateway.keys.owner))).status).toBe(405);
    expect((await get(url('/v1/chat/nothing'), bearer(gateway.keys.owner))).status).toBe(404);
  });

  test('no key, an unknown key, and a key in another place', async () => {
    const { owner } = gateway.keys;
    for (const headers of [{}, bearer('ts-key-unknown'), { 'x-api-key': owner }]) {
      expect(await post(url(), headers, good)).toMatchObject({ status: 401 });
    }
    expect(await post(url(`/v1/chat/completions?key=${owner}`), {}, good)).toMatchObject({
      status: 401,
    });
  });

  test('a model that the key may not use', async () => {
    expect((await create(good, gateway.keys.restricted)).status).toBe(403);
    expect((await create({ ...good, model: 'ts-shared' }, gateway.keys.restricted)).status).toBe(
      200,
    );
  });
});

test('serves odd bodies that are legal', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const whole = JSON.stringify(good);
  expect((await create(`${whole.slice(0, -1)},"unknown":${deep}}`)).status).toBe(200);
  const odd = { role: 'user', content: '\ud800 \u0000 \u{1f600}' };
  expect((await create({ ...good, messages: [odd] })).status).toBe(200);
  const parts = { role: 'user', content: [{ type: 'text', text: 'Say something.' }] };
  expect((await create({ ...good, messages: [parts] })).status).toBe(200);
});

test('a dropped stream stops its run, and is charged for what was written', async () => {
  const id = crypto.randomUUID();
  const leaving = new AbortController();
  const response = await fetch(url(), {
    method: 'POST',
    headers: { ...bearer(gateway.keys.owner), 'x-client-request-id': id },
    body: JSON.stringify({
      ...good,
      max_completion_tokens: 5000,
      messages: [{ role: 'user', content: 'Write 4000 words.' }],
      stream: true,
    }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
  await expect
    .poll(async () => {
      const { json } = await get(`${gateway.probes.ledger.url[0]}?client_request_id=${id}`);
      return Object(json).records[0];
    })
    .toMatchObject({ operation: 'generation', status: 'cancelled', charge: expect.any(Number) });
});
