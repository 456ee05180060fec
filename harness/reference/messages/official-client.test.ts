import Anthropic from '@anthropic-ai/sdk';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../start.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
const client = connect(gateway.keys.owner);
afterAll(() => gateway.close());

/** The client's own headers are native; the gateway's are those of the specification. */
function connect(key: string): Anthropic {
  return new Anthropic({
    apiKey: null,
    authToken: null,
    baseURL: gateway.regions[0]?.baseUrl,
    maxRetries: 0,
    defaultHeaders: {
      authorization: null,
      'anthropic-version': null,
      'x-api-key': key,
      'vendorA-version': '2026-10-21',
    },
  });
}

const request = {
  model: 'ts-omni',
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};
const tools = [
  {
    name: 'weather',
    input_schema: {
      type: 'object' as const,
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
];

test('streams, raw and through its accumulator', async () => {
  const message = await client.messages.create(request);
  const types: string[] = [];
  for await (const { type } of await client.messages.create({ ...request, stream: true })) {
    types.push(type);
  }
  expect(types[0]).toBe('message_start');
  expect(types.at(-1)).toBe('message_stop');

  const final = await client.messages.stream(request).finalMessage();
  expect(final.content).toMatchObject([
    { type: 'text', text: message.content[0]?.type === 'text' ? message.content[0].text : null },
  ]);
  expect(final.stop_reason).toBe('end_turn');
  expect(final.usage).toEqual(message.usage);
});

test('ends a stream at the limit', async () => {
  const final = await client.messages.stream({ ...request, max_tokens: 2 }).finalMessage();
  expect(final.stop_reason).toBe('max_tokens');
  expect(final.usage.output_tokens).toBe(2);
});

test('forces a call, whole and streamed, and hands its result over', async () => {
  const forced = { ...request, tools, tool_choice: { type: 'tool' as const, name: 'weather' } };
  const { content, stop_reason } = await client.messages.create(forced);
  expect(stop_reason).toBe('tool_use');
  const [call] = content;
  if (call?.type !== 'tool_use') throw new Error('no function was called');
  expect(call.input).toEqual({ city: expect.any(String) });

  const streamed = await client.messages.stream(forced).finalMessage();
  expect(streamed.content).toMatchObject([
    { type: 'tool_use', name: 'weather', input: call.input },
  ]);

  const after = await client.messages.create({
    ...forced,
    messages: [
      ...request.messages,
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'blue' }] },
    ],
  });
  expect(after.content).toMatchObject([{ type: 'text' }]);
});

test('knows the classes of the errors', async () => {
  const restricted = connect(gateway.keys.restricted);
  await expect(connect('ts-key-unknown').messages.create(request)).rejects.toMatchObject({
    constructor: Anthropic.AuthenticationError,
    type: 'authentication_error',
  });
  await expect(restricted.messages.create(request)).rejects.toMatchObject({
    constructor: Anthropic.PermissionDeniedError,
    type: 'permission_error',
  });
  await expect(client.messages.create({ ...request, model: 'nope' })).rejects.toMatchObject({
    constructor: Anthropic.NotFoundError,
    type: 'not_found_error',
    requestID: expect.stringMatching(/^req_/),
  });
  await expect(
    client.messages.stream({ ...request, max_tokens: -1 }).finalMessage(),
  ).rejects.toMatchObject({
    constructor: Anthropic.BadRequestError,
    type: 'invalid_request_error',
  });
});
