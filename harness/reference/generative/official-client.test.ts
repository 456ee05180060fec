import { ApiError, FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../start.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
const client = connect(gateway.keys.owner);
afterAll(() => gateway.close());

/** The client sends its key in its own header; the gateway reads that of the specification. */
function connect(key: string, apiVersion = 'v1beta'): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: 'not-looked-at',
    apiVersion,
    httpOptions: {
      baseUrl: gateway.regions[0]?.baseUrl ?? '',
      headers: { 'x-vendorB-api-key': key },
    },
  });
}

const request = { model: 'ts-omni', contents: 'Say something.', config: { maxOutputTokens: 64 } };
const tools = [
  {
    functionDeclarations: [
      {
        name: 'weather',
        parametersJsonSchema: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
    ],
  },
];

test.for(['v1beta', 'v1'])('generates, streams and counts below /%s', async (apiVersion) => {
  const { models } = connect(gateway.keys.owner, apiVersion);
  const response = await models.generateContent(request);
  expect(response.text).toMatch(/\.$/);
  expect(response.candidates?.[0]?.finishReason).toBe('STOP');

  let joined = '';
  let last: string | undefined;
  for await (const chunk of await models.generateContentStream(request)) {
    joined += chunk.text ?? '';
    last = chunk.candidates?.[0]?.finishReason;
  }
  expect(joined).toBe(response.text);
  expect(last).toBe('STOP');

  const { model, contents } = request;
  const { totalTokens } = await models.countTokens({ model, contents });
  expect(totalTokens).toBe(response.usageMetadata?.promptTokenCount);
});

test('serves a model whose id has to be encoded', async () => {
  const model = encodeURIComponent('acme/odd: name 1');
  const response = await client.models.generateContent({ ...request, model });
  expect(response.modelVersion).toBe('acme/odd: name 1');
});

test('keeps a conversation with its own chat, streamed', async () => {
  const chat = client.chats.create({ model: 'ts-omni', config: request.config });
  const first = await chat.sendMessage({ message: 'Say something.' });
  let second: string | undefined;
  let read: number | undefined;
  for await (const chunk of await chat.sendMessageStream({ message: 'Say more.' })) {
    second = (second ?? '') + (chunk.text ?? '');
    read = chunk.usageMetadata?.promptTokenCount;
  }
  expect(second).not.toBe(first.text);
  expect(read).toBeGreaterThan(first.usageMetadata?.promptTokenCount ?? Number.NaN);
  // Its history has each chunk as a content of its own; the gateway reads that back.
  const third = await chat.sendMessage({ message: 'And more.' });
  expect(third.usageMetadata?.promptTokenCount).toBeGreaterThan(read ?? Number.NaN);
});

test('forces a call, whole and streamed, and hands its result over', async () => {
  const forced = {
    ...request,
    config: {
      ...request.config,
      tools,
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
    },
  };
  const { functionCalls, candidates } = await client.models.generateContent(forced);
  const call = functionCalls?.[0];
  const content = candidates?.[0]?.content;
  if (call === undefined || content === undefined) throw new Error('no function was called');
  expect(call).toMatchObject({ name: 'weather', args: { city: expect.any(String) } });

  const streamed = [];
  for await (const chunk of await client.models.generateContentStream(forced)) {
    streamed.push(...(chunk.functionCalls ?? []));
  }
  expect(streamed).toMatchObject([{ name: 'weather', args: call.args }]);

  const result = {
    functionResponse: { id: call.id ?? '', name: 'weather', response: { sky: 'blue' } },
  };
  const after = await client.models.generateContent({
    ...forced,
    contents: [
      { role: 'user', parts: [{ text: request.contents }] },
      content,
      { role: 'user', parts: [result] },
    ],
  });
  expect(after.text).toMatch(/\.$/);
});

test('lists models, page by page', async () => {
  const names: (string | undefined)[] = [];
  for await (const { name } of await client.models.list({ config: { pageSize: 2 } })) {
    names.push(name);
  }
  expect(names).toContain('models/ts-omni');
  expect(new Set(names).size).toBe(names.length);
});

test('knows the errors', async () => {
  const failing = [
    [() => connect('ts-key-unknown').models.generateContent(request), 400],
    [() => connect(gateway.keys.restricted).models.generateContent(request), 403],
    [() => client.models.generateContent({ ...request, model: 'nope' }), 404],
    [
      () => client.models.generateContentStream({ ...request, config: { maxOutputTokens: -1 } }),
      400,
    ],
  ] as const;
  for (const [ask, status] of failing) {
    const error = await ask().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status });
  }
});
