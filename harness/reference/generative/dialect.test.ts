import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { type ReferenceGateway, startReference } from '../start.ts';
import { bearer, get, post, type Received } from '../testing-requests.ts';

let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
});
afterAll(() => gateway.close());

const contents = [{ role: 'user', parts: [{ text: 'Say something.' }] }];
const good = { contents, generationConfig: { maxOutputTokens: 64 } };
const tools = [
  {
    functionDeclarations: [
      {
        name: 'weather',
        parameters: {
          type: 'OBJECT',
          properties: { city: { type: 'STRING' } },
          required: ['city'],
        },
      },
    ],
  },
];

function url(path: string): string {
  return `${gateway.regions[0]?.baseUrl}${path}`;
}

function send(action: string, body: Json, model = 'ts-omni', prefix = 'v1beta'): Promise<Received> {
  const address = url(`/${prefix}/models/${encodeURIComponent(model)}:${action}`);
  return post(address, { 'x-vendorB-api-key': gateway.keys.owner }, body);
}

const prefixes = ['v1beta', 'v1'];
const models = ['ts-omni', 'ts-generative', 'acme/odd: name 1'];
const places = prefixes.flatMap((prefix) => models.map((model) => [prefix, model] as const));

test.for(places)('generates below /%s with %s', async ([prefix, model]) => {
  const { status, headers, json } = await send('generateContent', good, model, prefix);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(json).toMatchObject({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: expect.stringMatching(/^[A-Z].*\.$/) }] },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    modelVersion: model,
    responseId: expect.any(String),
  });
  const { promptTokenCount, candidatesTokenCount, totalTokenCount } = Object(json).usageMetadata;
  expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount);
});

test.for(places)('streams the same text below /%s with %s', async ([prefix, model]) => {
  const whole = Object((await send('generateContent', good, model, prefix)).json);
  const { headers, events } = await send('streamGenerateContent?alt=sse', good, model, prefix);
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(events.every(({ name }) => name === null)).toBe(true);
  const chunks = events.map(({ data }) => JSON.parse(data));
  expect(chunks.length).toBe(whole.usageMetadata.candidatesTokenCount);
  expect(chunks.map(({ candidates }) => candidates[0].content.parts[0].text).join('')).toBe(
    whole.candidates[0].content.parts[0].text,
  );
  expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
  const finishes = chunks.map(({ candidates }) => candidates[0].finishReason);
  expect(finishes.slice(0, -1).every((finish) => finish === undefined)).toBe(true);
  expect(finishes.at(-1)).toBe('STOP');
  expect(chunks.at(-1).usageMetadata).toEqual(whole.usageMetadata);
});

test.for(places)('counts what a request reads, below /%s with %s', async ([prefix, model]) => {
  const body = { ...good, systemInstruction: { parts: [{ text: 'Be brief.' }] }, tools };
  const { json } = await send('generateContent', body, model, prefix);
  const generateContentRequest = { model: `models/${model}`, ...body };
  const whole = await send('countTokens', { generateContentRequest }, model, prefix);
  expect(Object(whole.json).totalTokens).toBe(Object(json).usageMetadata.promptTokenCount);

  const alone = await send('countTokens', { contents }, model, prefix);
  const plain = await send('generateContent', good, model, prefix);
  expect(Object(alone.json).totalTokens).toBe(Object(plain.json).usageMetadata.promptTokenCount);
});

test('reads names of members in both spellings', async () => {
  const body = { contents, generation_config: { max_output_tokens: 3 } };
  expect((await send('generateContent', body)).json).toMatchObject({
    candidates: [{ finishReason: 'MAX_TOKENS' }],
    usageMetadata: { candidatesTokenCount: 3 },
  });
});

test('calls the function that is forced, and goes on in text after its result', async () => {
  const forced = { ...good, tools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } };
  const { json } = await send('generateContent', forced);
  const [candidate] = Object(json).candidates;
  expect(candidate).toMatchObject({
    content: {
      role: 'model',
      parts: [{ functionCall: { name: 'weather', args: { city: expect.any(String) } } }],
    },
    finishReason: 'STOP',
  });

  const { events } = await send('streamGenerateContent?alt=sse', forced);
  expect(events).toHaveLength(1);
  expect(
    JSON.parse(events[0]?.data ?? '').candidates[0].content.parts[0].functionCall.args,
  ).toEqual(candidate.content.parts[0].functionCall.args);

  const functionResponse = { name: 'weather', response: { sky: 'blue' } };
  const after = await send('generateContent', {
    ...forced,
    contents: [...contents, candidate.content, { role: 'user', parts: [{ functionResponse }] }],
  });
  expect(after.json).toMatchObject({
    candidates: [{ content: { parts: [{ text: expect.any(String) }] } }],
  });
});

test('a call that is cut at the limit has no parts', async () => {
  const { json } = await send('generateContent', {
    contents,
    generationConfig: { maxOutputTokens: 1 },
    tools,
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  });
  expect(Object(json).candidates).toEqual([
    { content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 },
  ]);
});

describe('refuses, with the native error,', () => {
  const generate = 'generateContent';
  const config = (members: Record<string, Json>) => ({ contents, generationConfig: members });
  test.for<
    [what: string, status: number, name: string, action: string, body: Json, model?: string]
  >([
    ['an unknown model', 404, 'NOT_FOUND', generate, good, 'nope'],
    ['a model that does not declare it', 404, 'NOT_FOUND', generate, good, 'ts-chat'],
    ['an unknown action', 404, 'NOT_FOUND', 'noSuchAction', good],
    [
      'a stream that the channel lacks',
      400,
      'INVALID_ARGUMENT',
      'streamGenerateContent?alt=sse',
      good,
      'ts-plain',
    ],
    ['a stream that is none', 400, 'INVALID_ARGUMENT', 'streamGenerateContent', good],
    ['a count that the channel lacks', 400, 'INVALID_ARGUMENT', 'countTokens', good, 'ts-plain'],
    [
      'a count for another model',
      400,
      'INVALID_ARGUMENT',
      'countTokens',
      { generateContentRequest: { model: 'models/ts-plain', contents } },
    ],
    [
      'tools that the channel lacks',
      400,
      'INVALID_ARGUMENT',
      generate,
      { contents, tools },
      'ts-plain',
    ],
    ['a body without contents', 400, 'INVALID_ARGUMENT', generate, {}],
    ['contents of a wrong type', 400, 'INVALID_ARGUMENT', generate, { contents: 42 }],
    ['no contents', 400, 'INVALID_ARGUMENT', generate, { contents: [] }],
    [
      'a content without parts',
      400,
      'INVALID_ARGUMENT',
      generate,
      { contents: [{ role: 'user' }] },
    ],
    [
      'an unknown role',
      400,
      'INVALID_ARGUMENT',
      generate,
      { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
    ],
    [
      'the result of a call that was never made',
      400,
      'INVALID_ARGUMENT',
      generate,
      { contents: [{ parts: [{ functionResponse: { name: 'x', response: {} } }] }] },
    ],
    ['a negative limit', 400, 'INVALID_ARGUMENT', generate, config({ maxOutputTokens: -1 })],
    ['a huge limit', 400, 'INVALID_ARGUMENT', generate, config({ maxOutputTokens: 1e308 })],
    ['too many candidates', 400, 'INVALID_ARGUMENT', generate, config({ candidateCount: 99 })],
    ['malformed JSON', 400, 'INVALID_ARGUMENT', generate, '{"contents": ['],
    ['an empty body', 400, 'INVALID_ARGUMENT', generate, ''],
    ['a list', 400, 'INVALID_ARGUMENT', generate, []],
  ])('%s', async ([, status, name, action, body, model]) => {
    for (const prefix of prefixes) {
      const received = await send(action, body, model, prefix);
      expect(received.status).toBe(status);
      expect(received.headers.get('content-type')).toBe('application/json');
      expect(received.json).toEqual({
        error: { code: status, message: expect.any(String), status: name },
      });
    }
  });

  test('no key, an unknown key, and a key in another place', async () => {
    const { owner } = gateway.keys;
    const address = url('/v1beta/models/ts-omni:generateContent');
    const unknown = await post(address, { 'x-vendorB-api-key': 'ts-key-unknown' }, good);
    expect(unknown.json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
    for (const headers of [{}, bearer(owner), { 'x-api-key': owner }]) {
      const { json } = await post(address, headers, good);
      expect(json).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
    }
    expect((await post(`${address}?key=${owner}`, {}, good)).status).toBe(403);
  });

  test('a model that the key may not use', async () => {
    const key = { 'x-vendorB-api-key': gateway.keys.restricted };
    const { json } = await post(url('/v1beta/models/ts-omni:generateContent'), key, good);
    expect(json).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
  });

  test('a wrong method, and the prefixes doubled', async () => {
    const key = { 'x-vendorB-api-key': gateway.keys.owner };
    expect((await get(url('/v1beta/models/ts-omni:generateContent'), key)).status).toBe(405);
    const doubled = '/v1/v1beta/models/ts-omni:generateContent';
    expect((await post(url(doubled), key, good)).status).toBe(404);
  });
});
