import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { startReference } from '../start.ts';
import { get, post, type Received } from '../testing-requests.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
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
  return post(address, owner, body);
}

const owner = { 'x-vendorB-api-key': gateway.keys.owner };
const prefixes = ['v1beta', 'v1'];

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
  const config = (members: Record<string, Json>) => ({ contents, generationConfig: members });
  const noCall = { name: 'x', response: {} };
  const stream = 'streamGenerateContent?alt=sse';
  test.for<[what: string, body: Json, action?: string, model?: string]>([
    ['a stream that the channel lacks', good, stream, 'ts-plain'],
    ['a stream that is none', good, 'streamGenerateContent'],
    ['a count that the channel lacks', good, 'countTokens', 'ts-plain'],
    [
      'a count for another model',
      { generateContentRequest: { model: 'models/ts-plain', contents } },
      'countTokens',
    ],
    ['tools that the channel lacks', { contents, tools }, 'generateContent', 'ts-plain'],
    ['a body without contents', {}],
    ['contents of a wrong type', { contents: 42 }],
    ['no contents', { contents: [] }],
    ['a content without parts', { contents: [{ role: 'user' }] }],
    ['an unknown role', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }],
    ['the result of no call', { contents: [{ parts: [{ functionResponse: noCall }] }] }],
    ['a negative limit', config({ maxOutputTokens: -1 })],
    ['a huge limit', config({ maxOutputTokens: 1e308 })],
    ['too many candidates', config({ candidateCount: 99 })],
    ['malformed JSON', '{"contents": ['],
    ['an empty body', ''],
    ['a list', []],
  ])('%s', async ([, body, action = 'generateContent', model]) => {
    await refused(body, action, model, 400, 'INVALID_ARGUMENT');
  });

  test.for<[what: string, model: string, action?: string]>([
    ['an unknown model', 'nope'],
    ['a model that does not declare it', 'ts-chat'],
    ['an unknown action', 'ts-omni', 'noSuchAction'],
  ])('%s', async ([, model, action = 'generateContent']) => {
    await refused(good, action, model, 404, 'NOT_FOUND');
  });

  async function refused(
    ...[body, action, model, status, name]: [Json, string, string | undefined, number, string]
  ): Promise<void> {
    for (const prefix of prefixes) {
      const received = await send(action, body, model, prefix);
      expect(received.status).toBe(status);
      expect(received.headers.get('content-type')).toBe('application/json');
      expect(received.json).toEqual({
        error: { code: status, message: expect.any(String), status: name },
      });
    }
  }

  test.for(['pageSize=-1', 'pageSize=x', 'pageToken=x'])('a list by %s', async (query) => {
    const { json } = await get(url(`/v1beta/models?${query}`), owner);
    expect(json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });
});
