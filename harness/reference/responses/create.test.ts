import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { ask, at, reference, send } from './testing.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64, store: true };

test('answers with the native response object', async () => {
  await using gateway = await reference();
  const answer = await send(gateway, 'POST', path, good);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  const body: Json = JSON.parse(await answer.text());
  expect(body).toMatchObject({
    object: 'response',
    status: 'completed',
    model: 'ts-omni',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tool_choice: 'auto',
    tools: [],
    store: true,
    background: false,
    previous_response_id: null,
    max_output_tokens: 64,
  });
  expect(at(body, 'id')).toMatch(/^resp_[0-9a-f]{32}$/);
  expect(at(body, 'output')).toHaveLength(1);
  expect(at(body, 'output.0.content.0.text')).toMatch(/^[A-Z][a-z]+( [a-z]+)+\.$/);
  const used = (name: string) => Number(at(body, `usage.${name}`));
  expect(used('total_tokens')).toBe(used('input_tokens') + used('output_tokens'));
});

test('answers the same input with the same text, and no other input', async () => {
  await using gateway = await reference();
  const text = async (input: string) =>
    at((await ask(gateway, 'POST', path, { ...good, input })).body, 'output.0.content.0.text');
  expect(await text('one')).toBe(await text('one'));
  expect(await text('one')).not.toBe(await text('two'));
});

test('stops at the output limit, and says so', async () => {
  await using gateway = await reference();
  const { body } = await ask(gateway, 'POST', path, {
    ...good,
    input: 'Write 400 words about rivers.',
    max_output_tokens: 16,
  });
  expect(body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    usage: { output_tokens: 16 },
  });
  expect(at(body, 'output.0.status')).toBe('incomplete');
});

test('writes as many tokens as it is asked for', async () => {
  await using gateway = await reference();
  const { body } = await ask(gateway, 'POST', path, {
    ...good,
    input: 'Write 400 words.',
    max_output_tokens: 1000,
  });
  expect(body).toMatchObject({ status: 'completed', usage: { output_tokens: 400 } });
});

test('reads an array of items', async () => {
  await using gateway = await reference();
  const { status, body } = await ask(gateway, 'POST', path, {
    ...good,
    input: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      { type: 'message', role: 'assistant', content: 'Hi' },
      { type: 'message', role: 'user', content: 'Again' },
    ],
  });
  expect(status).toBe(200);
  expect(at(body, 'usage.input_tokens')).toBe(4 * 3 + 3 + 1 + 1 + 1);
});

const refused: readonly [what: string, body: object, code: string | null, param: string | null][] =
  [
    ['no model', { input: 'x' }, 'missing_required_parameter', 'model'],
    ['a model that is no string', { ...good, model: 42 }, 'invalid_type', 'model'],
    ['an unknown model', { ...good, model: 'nothing' }, 'model_not_found', 'model'],
    ['a model without the protocol', { ...good, model: 'ts-chat' }, null, 'model'],
    ['no input', { model: 'ts-omni' }, 'missing_required_parameter', 'input'],
    ['a number as input', { ...good, input: 42 }, 'invalid_type', 'input'],
    ['an item that is no object', { ...good, input: [42] }, 'invalid_type', 'input[0]'],
    [
      'an unknown role',
      { ...good, input: [{ role: 'x', content: 'y' }] },
      'invalid_value',
      'input[0].role',
    ],
    [
      'a negative limit',
      { ...good, max_output_tokens: -1 },
      'integer_below_min_value',
      'max_output_tokens',
    ],
    [
      'a limit below 16',
      { ...good, max_output_tokens: 15 },
      'integer_below_min_value',
      'max_output_tokens',
    ],
    [
      'a huge limit',
      { ...good, max_output_tokens: 1e308 },
      'integer_above_max_value',
      'max_output_tokens',
    ],
    [
      'a fraction as limit',
      { ...good, max_output_tokens: 16.5 },
      'invalid_type',
      'max_output_tokens',
    ],
    ['store as a word', { ...good, store: 'yes' }, 'invalid_type', 'store'],
    ['stream as a word', { ...good, stream: 'true' }, 'invalid_type', 'stream'],
    ['deep metadata', { ...good, metadata: { a: { b: 1 } } }, 'invalid_value', 'metadata'],
    ['an unknown tool', { ...good, tools: [{ type: 'web_search' }] }, 'invalid_value', 'tools[0]'],
    [
      'background without storage',
      { ...good, background: true, store: false },
      'unsupported_parameter',
      'background',
    ],
    [
      'background where the channel has none',
      { ...good, model: 'ts-plain', background: true },
      'unsupported_value',
      'background',
    ],
    [
      'a stream where the channel has none',
      { ...good, model: 'ts-plain', stream: true },
      'unsupported_value',
      'stream',
    ],
    [
      'an unknown previous response',
      { ...good, previous_response_id: 'resp_x' },
      'previous_response_not_found',
      'previous_response_id',
    ],
    [
      'the output of a call that was never made',
      { ...good, input: [{ type: 'function_call_output', call_id: 'call_x', output: '1' }] },
      null,
      'input',
    ],
  ];

test.each(refused)('refuses %s', async (_what, body, code, param) => {
  await using gateway = await reference();
  const answer = await ask(gateway, 'POST', path, JSON.parse(JSON.stringify(body)));
  expect(answer).toEqual({
    status: 400,
    body: { error: { type: 'invalid_request_error', message: expect.any(String), code, param } },
  });
});

test('refuses a model that the key may not use', async () => {
  await using gateway = await reference();
  const { status, body } = await ask(gateway, 'POST', path, good, { key: 'restricted' });
  expect(status).toBe(403);
  expect(at(body, 'error.type')).toBe('invalid_request_error');
  const shared = { ...good, model: 'ts-shared' };
  expect((await ask(gateway, 'POST', path, shared, { key: 'restricted' })).status).toBe(200);
});

test('ignores members that it does not know, however deep', async () => {
  await using gateway = await reference();
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  const body = `${JSON.stringify(good).slice(0, -1)},"unknown":${deep}}`;
  const answer = await fetch(`${gateway.regions[0]?.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}` },
    body,
  });
  expect(answer.status).toBe(200);
});

test.each(['tools', 'tool_choice', 'metadata', 'text', 'reasoning'])(
  'refuses %s nested 10 000 deep, without falling over',
  async (member) => {
    await using gateway = await reference();
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const value = member === 'tools' ? `[${deep}]` : deep;
    const answer = await fetch(`${gateway.regions[0]?.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.keys.owner}` },
      body: `${JSON.stringify(good).slice(0, -1)},"${member}":${value}}`,
    });
    expect(answer.status).toBe(400);
  },
);

test('keeps odd Unicode as it came', async () => {
  await using gateway = await reference();
  const input = 'lone \ud800, NUL \u0000, beyond \u{1f98e}';
  const { status, body } = await ask(gateway, 'POST', path, { ...good, input });
  expect(status).toBe(200);
  const items = await ask(gateway, 'GET', `${path}/${body.id}/input_items`);
  expect(at(items.body, 'data.0.content.0.text')).toBe(input);
});
