import OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../start.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
const client = connect(gateway.keys.owner);
afterAll(() => gateway.close());

function connect(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${gateway.regions[0]?.baseUrl}/v1`, maxRetries: 0 });
}

const request = {
  model: 'ts-omni',
  max_completion_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

test('streams, raw and through its accumulator', async () => {
  const { choices } = await client.chat.completions.create(request);
  const text = choices[0]?.message.content;
  let joined = '';
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
    joined += chunk.choices[0]?.delta.content ?? '';
  }
  expect(joined).toBe(text);

  const stream = client.chat.completions.stream({
    ...request,
    stream_options: { include_usage: true },
  });
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]).toMatchObject({ message: { content: text }, finish_reason: 'stop' });
  expect(final.usage?.completion_tokens).toBeGreaterThan(0);
});

test('forces a call, whole and streamed, and hands its result over', async () => {
  const forced = { ...request, tools, tool_choice: 'required' as const };
  const { choices } = await client.chat.completions.create(forced);
  const message = choices[0]?.message;
  const call = message?.tool_calls?.[0];
  if (message === undefined || call?.type !== 'function') throw new Error('no function was called');
  expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });

  const streamed = await client.chat.completions.stream(forced).finalMessage();
  expect(streamed.tool_calls).toMatchObject([
    { type: 'function', function: { name: 'weather', arguments: call.function.arguments } },
  ]);

  const after = await client.chat.completions.create({
    ...request,
    tools,
    messages: [
      ...request.messages,
      message,
      { role: 'tool', tool_call_id: call.id, content: 'blue' },
    ],
  });
  expect(after.choices[0]?.message.content).toMatch(/\.$/);
});

test('runs its own tool loop to the end', async () => {
  const runner = client.chat.completions.runTools({
    ...request,
    tools: [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather in a city.',
          parameters: tools[0]?.function.parameters ?? {},
          parse: JSON.parse,
          function: ({ city }: { city: string }) => `${city}: blue`,
        },
      },
    ],
    tool_choice: 'required',
  });
  expect(await runner.finalContent()).toMatch(/\.$/);
  expect(await runner.finalFunctionToolCall()).toMatchObject({ name: 'weather' });
});

test('knows the classes of the errors', async () => {
  await expect(connect('ts-key-unknown').chat.completions.create(request)).rejects.toThrow(
    OpenAI.AuthenticationError,
  );
  await expect(connect(gateway.keys.restricted).chat.completions.create(request)).rejects.toThrow(
    OpenAI.PermissionDeniedError,
  );
  await expect(client.chat.completions.create({ ...request, model: 'nope' })).rejects.toMatchObject(
    {
      constructor: OpenAI.NotFoundError,
      code: 'model_not_found',
      param: 'model',
      requestID: expect.stringMatching(/^req_/),
    },
  );
  await expect(
    client.chat.completions.create({ ...request, max_completion_tokens: -1, stream: true }),
  ).rejects.toThrow(OpenAI.BadRequestError);
});
