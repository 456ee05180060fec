import { expect, test } from 'vitest';
import { isArray } from '../json.ts';
import { allEvents, ask, at, reference, send } from './testing.ts';

const path = '/v1/responses';
const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Weather in a city',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      days: { type: 'integer', minimum: 2 },
      note: { type: 'string' },
    },
    required: ['city', 'unit', 'days'],
  },
};
const body = {
  model: 'ts-omni',
  input: 'How is the weather?',
  max_output_tokens: 64,
  store: true,
  tools: [weather],
  tool_choice: 'required',
};

test.each(['required', { type: 'function', name: 'get_weather' }])(
  'calls the function when it has to: %o',
  async (choice) => {
    await using gateway = await reference();
    const answer = await ask(gateway, 'POST', path, { ...body, tool_choice: choice });
    expect(answer.body).toMatchObject({
      status: 'completed',
      output: [{ type: 'function_call', name: 'get_weather', status: 'completed' }],
    });
    expect(at(answer.body, 'output.0.call_id')).toMatch(/^call_/);
    const args: unknown = JSON.parse(String(at(answer.body, 'output.0.arguments')));
    expect(args).toEqual({
      city: expect.stringMatching(/^[a-z]+$/),
      unit: 'celsius',
      days: expect.any(Number),
    });
  },
);

test.each([
  ['calls a function that the input speaks of', 'How is the weather?', 'auto', 'function_call'],
  ['answers in text where the input does not', 'How are you?', 'auto', 'message'],
  ['answers in text where no call may be made', 'How is the weather?', 'none', 'message'],
])('%s', async (_, input, choice, type) => {
  await using gateway = await reference();
  const answer = await ask(gateway, 'POST', path, { ...body, input, tool_choice: choice });
  expect(at(answer.body, 'output.0.type')).toBe(type);
});

test('streams the arguments in fragments', async () => {
  await using gateway = await reference();
  const events = await allEvents(await send(gateway, 'POST', path, { ...body, stream: true }));
  const fragments = events.filter(({ name }) => name === 'response.function_call_arguments.delta');
  expect(fragments.length).toBeGreaterThan(2);
  const joined = fragments.map(({ data }) => data.delta).join('');
  const done = events.find(({ name }) => name === 'response.function_call_arguments.done');
  expect(done?.data.arguments).toBe(joined);
  expect(at(events.at(-1)?.data, 'response.output.0.arguments')).toBe(joined);
  expect(events.map(({ name }) => name).filter((name) => !name?.endsWith('.delta'))).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
});

test('goes on in text after the result, in a chain or with the items sent back', async () => {
  await using gateway = await reference();
  const called = await ask(gateway, 'POST', path, body);
  const callId = at(called.body, 'output.0.call_id');
  const result = {
    type: 'function_call_output',
    call_id: String(callId),
    output: '{"sky":"blue"}',
  };
  const chained = { ...body, previous_response_id: called.body.id, input: [result] };
  const { output } = called.body;
  const resent = {
    ...body,
    input: [{ role: 'user', content: body.input }, ...(isArray(output) ? output : []), result],
  };
  for (const next of [chained, resent]) {
    const answer = await ask(gateway, 'POST', path, next);
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'output.0.type')).toBe('message');
  }
});

test('refuses tools where the channel has none, and a choice that is not declared', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'POST', path, { ...body, model: 'ts-plain' })).status).toBe(400);
  const other = { ...body, tool_choice: { type: 'function', name: 'other' } };
  expect((await ask(gateway, 'POST', path, other)).status).toBe(400);
});
