import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { startReference } from '../start.ts';
import { post, type Received } from '../testing-requests.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
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

describe('refuses, with the native error,', () => {
  const { max_tokens: _, ...withoutLimit } = good;
  test.for<[what: string, body: Json, status?: number, type?: string]>([
    ['an unknown model', { ...good, model: 'nope' }, 404, 'not_found_error'],
    ['a model that does not declare it', { ...good, model: 'ts-chat' }],
    ['a stream that the channel lacks', { ...good, model: 'ts-plain', stream: true }],
    ['tools that the channel lacks', { ...good, model: 'ts-plain', tools: [weather] }],
    ['a body without model', { max_tokens: 16, messages }],
    ['a body without max_tokens', withoutLimit],
    ['the same for a stream', { ...withoutLimit, stream: true }],
    ['a body without messages', { ...good, messages: null }],
    ['messages of a wrong type', { ...good, messages: 42 }],
    ['no messages', { ...good, messages: [] }],
    ['content of a wrong type', { ...good, messages: [{ role: 'user', content: 42 }] }],
    ['an unknown role', { ...good, messages: [{ role: 'tool', content: 'x' }] }],
    [
      'the result of a call that was never made',
      {
        ...good,
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }],
      },
    ],
    [
      'a forced function that is not declared',
      { ...good, tool_choice: { type: 'tool', name: 'x' } },
    ],
    ['a negative limit', { ...good, max_tokens: -1 }],
    ['a huge limit', { ...good, max_tokens: 1e308 }],
    ['malformed JSON', '{"model": "ts-om'],
    ['an empty body', ''],
    ['a list', []],
  ])('%s', async ([, body, status = 400, type = 'invalid_request_error']) => {
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
});
