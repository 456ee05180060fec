import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { ask, at, reference } from './testing.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64, store: true };

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

test.each(['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=nothing'])(
  'refuses to list the input by %s',
  async (query) => {
    await using gateway = await reference();
    const { body } = await ask(gateway, 'POST', path, good);
    const { status } = await ask(gateway, 'GET', `${path}/${body.id}/input_items?${query}`);
    expect(status).toBe(400);
  },
);

test('a compaction item of another making is refused', async () => {
  await using gateway = await reference();
  const input = [
    { type: 'compaction', encrypted_content: 'bm90IG91cnMgYXQgYWxsLCBub3QgYXQgYWxsLCBubw' },
  ];
  expect((await ask(gateway, 'POST', path, { ...good, input })).status).toBe(400);
});

test('an item of a stored response can be referred to by its id, by its user', async () => {
  await using gateway = await reference();
  const first = await ask(gateway, 'POST', path, good);
  const referred = { type: 'item_reference', id: at(first.body, 'output.0.id') ?? '' };
  const input = [referred, { role: 'user', content: 'And then?' }];
  const own = await ask(gateway, 'POST', path, { ...good, input });
  expect(own.status).toBe(200);
  const alone = await ask(gateway, 'POST', path, { ...good, input: input.slice(1) });
  const tokens = (answer: JsonObject) => Number(at(answer, 'usage.input_tokens'));
  expect(tokens(own.body)).toBeGreaterThan(tokens(alone.body));
  const others = await ask(gateway, 'POST', path, { ...good, input }, { key: 'otherUser' });
  const none = { ...good, input: [{ type: 'item_reference', id: 'msg_none' }] };
  const unknown = await ask(gateway, 'POST', path, none);
  expect([others.status, unknown.status]).toEqual([400, 400]);
});

const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: {} },
};

test.each([
  ['calls a function that the input speaks of', 'How is the weather?', 'auto', 'function_call'],
  ['answers in text where the input does not', 'How are you?', 'auto', 'message'],
  ['answers in text where no call may be made', 'How is the weather?', 'none', 'message'],
])('%s', async (_, input, choice, type) => {
  await using gateway = await reference();
  const answer = await ask(gateway, 'POST', path, {
    ...good,
    input,
    tools: [weather],
    tool_choice: choice,
  });
  expect(at(answer.body, 'output.0.type')).toBe(type);
});
