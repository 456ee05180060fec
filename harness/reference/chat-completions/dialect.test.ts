import { afterAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { startReference } from '../start.ts';
import { bearer, post, type Received } from '../testing-requests.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
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

const create = (body: Json): Promise<Received> =>
  post(`${gateway.regions[0]?.baseUrl}/v1/chat/completions`, bearer(gateway.keys.owner), body);

describe('refuses, with the native error,', () => {
  test.for<[what: string, status: number, body: Json, error: JsonObject]>([
    [
      'an unknown model',
      404,
      { ...good, model: 'nope' },
      { code: 'model_not_found', param: 'model' },
    ],
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
});
