import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { base, reference } from '../responses/testing.ts';
import type { ReferenceGateway } from '../start.ts';
import type { Script } from './script.ts';

// The official clients read what a model thinks, and a text with calls behind it.

const thought = 'Paris first, then Rome.';
const text = 'Let me look.';
const script: Script = {
  rules: [
    {
      when: { says: 'weather' },
      reasoning: thought,
      text,
      calls: [
        { name: 'get_weather', arguments: { city: 'Paris' } },
        { name: 'get_weather', arguments: { city: 'Rome' } },
      ],
    },
  ],
};
const cities = [{ city: 'Paris' }, { city: 'Rome' }];
const model = 'ts-omni';
const names = { vendorA: 'anthropic', vendorB: 'goog' };

function mock() {
  return reference({ script, names, isMock: true });
}

function openai(gateway: ReferenceGateway): OpenAI {
  return new OpenAI({ apiKey: gateway.keys.owner, baseURL: `${base(gateway)}/v1`, maxRetries: 0 });
}

function anthropicOf(gateway: ReferenceGateway): Anthropic {
  return new Anthropic({
    apiKey: gateway.keys.owner,
    authToken: null,
    baseURL: base(gateway),
    maxRetries: 0,
  });
}

function genaiOf(gateway: ReferenceGateway): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: gateway.keys.owner,
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: base(gateway) },
  });
}

test('Responses: a reasoning item, streamed, stored, fetched, and sent back', async () => {
  await using gateway = await mock();
  const { responses } = openai(gateway);
  const input = 'What is the weather?';
  const include = ['reasoning.encrypted_content' as const];
  const stream = responses.stream({ model, input, include });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  const final = await stream.finalResponse();
  expect(final.output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] },
    { type: 'message', status: 'completed', content: [{ text }] },
    { type: 'function_call', name: 'get_weather', arguments: '{"city":"Paris"}' },
    { type: 'function_call', name: 'get_weather', arguments: '{"city":"Rome"}' },
  ]);
  expect(types.filter((type) => /item|reasoning.*(part|done)/.test(type))).toEqual([
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    ...Array.from({ length: 3 }, () => [
      'response.output_item.added',
      'response.output_item.done',
    ]).flat(),
  ]);
  expect(final.usage?.output_tokens_details.reasoning_tokens).toBe(6);
  const fetched = await responses.retrieve(final.id);
  const output = fetched.output.filter(
    (item) => item.type === 'reasoning' || item.type === 'message' || item.type === 'function_call',
  );
  expect(output).toMatchObject(JSON.parse(JSON.stringify(final.output, dropParsed)));
  const again: string[] = [];
  for await (const { type } of await responses.retrieve(final.id, {
    stream: true,
    starting_after: 3,
  })) {
    again.push(type);
  }
  expect(again).toEqual(types.slice(4));
  const results = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: '21' }]
      : [],
  );
  const next = { model, reasoning: { summary: 'auto' as const } };
  const stored = await responses.create({
    ...next,
    previous_response_id: final.id,
    input: results,
  });
  const asItems = await responses.create({
    ...next,
    input: [{ role: 'user', content: input }, ...output, ...results],
  });
  const byReference = await responses.create({
    ...next,
    input: [
      { role: 'user', content: input },
      ...output.flatMap(({ id }) =>
        id === undefined ? [] : [{ type: 'item_reference' as const, id }],
      ),
      ...results,
    ],
  });
  const counts = [stored, asItems, byReference].map(({ usage }) => usage?.input_tokens);
  expect(new Set(counts).size).toBe(1);
});

/** Members that the client adds. */
function dropParsed(name: string, value: unknown): unknown {
  return name.startsWith('parsed') ? undefined : value;
}

test('Chat Completions: a text with calls; what it thinks is counted, and shown nowhere', async () => {
  await using gateway = await mock();
  const { completions } = openai(gateway).chat;
  const messages = [{ role: 'user' as const, content: 'What is the weather?' }];
  const whole = await completions.create({ model, messages });
  const streamed = await completions
    .stream({ model, messages, stream_options: { include_usage: true } })
    .finalChatCompletion();
  for (const { choices, usage } of [whole, streamed]) {
    const { message, finish_reason } = choices[0] ?? {};
    const args = message?.tool_calls?.map((call) =>
      call.type === 'function' ? JSON.parse(call.function.arguments) : call,
    );
    expect([message?.content, args, finish_reason]).toEqual([text, cities, 'tool_calls']);
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(6);
  }
});

test('Messages: a thinking block with its signature, a text, and calls', async () => {
  await using gateway = await mock();
  const { messages } = anthropicOf(gateway);
  const asked = { role: 'user' as const, content: 'What is the weather?' };
  const request = { model, max_tokens: 2048, messages: [asked] };
  const whole = await messages.create(request);
  const types = whole.content.map(({ type }) => type);
  expect(types).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
  expect(whole.content[0]).toMatchObject({
    thinking: thought,
    signature: expect.stringMatching(/./),
  });
  expect([whole.stop_reason, whole.usage.output_tokens_details]).toEqual([
    'tool_use',
    { thinking_tokens: 6 },
  ]);
  const streamed = await messages.stream(request).finalMessage();
  const withoutIds = whole.content.map((block) => ({ ...block, id: expect.anything() }));
  expect(streamed.content.map((block) => ({ id: '', ...block }))).toEqual(withoutIds);
  const results = whole.content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: '21' }]
      : [],
  );
  const next = await messages.create({
    ...request,
    messages: [
      asked,
      { role: 'assistant', content: whole.content },
      { role: 'user', content: results },
      { role: 'user', content: 'Thanks.' },
    ],
    thinking: { type: 'enabled', budget_tokens: 1024 },
  });
  expect(next.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  const little = { type: 'enabled' as const, budget_tokens: 10 };
  await expect(messages.create({ ...request, thinking: little })).rejects.toThrow(/at least 1024/);
});

test('generative-content: a part that is a thought, a text, and calls', async () => {
  await using gateway = await mock();
  const { models } = genaiOf(gateway);
  const whole = await models.generateContent({ model, contents: 'What is the weather?' });
  const { parts } = whole.candidates?.[0]?.content ?? {};
  expect(parts).toMatchObject([
    { text: thought, thought: true },
    { text },
    { functionCall: { args: cities[0] } },
    { functionCall: { args: cities[1] } },
  ]);
  expect(whole.usageMetadata).toMatchObject({ thoughtsTokenCount: 6 });
  const contents = 'Say hello.';
  const config = { thinkingConfig: { includeThoughts: true } };
  let thinks = '';
  let says = '';
  for await (const chunk of await models.generateContentStream({ model, contents, config })) {
    says += chunk.text ?? '';
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      if (part.thought === true) thinks += part.text;
    }
  }
  expect([thinks, says]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
  const plain = await models.generateContent({ model, contents });
  expect(plain.text).toBe(says);
});

test('a model that does not think refuses to, and answers where nothing of it is asked', async () => {
  await using gateway = await reference({ names, isMock: true });
  const model = 'ts-plain';
  const { responses, chat } = openai(gateway);
  const { messages } = anthropicOf(gateway);
  const { models } = genaiOf(gateway);
  const asked = { role: 'user' as const, content: 'Say hello.' };
  const refused: readonly (() => Promise<unknown>)[] = [
    () => responses.create({ model, input: 'Hello.', reasoning: { effort: 'low' } }),
    () => chat.completions.create({ model, messages: [asked], reasoning_effort: 'low' }),
    () =>
      messages.create({ model, max_tokens: 9, messages: [asked], thinking: { type: 'adaptive' } }),
    () =>
      models.generateContent({
        model,
        contents: 'Hello.',
        config: { thinkingConfig: { includeThoughts: true } },
      }),
  ];
  for (const request of refused) await expect(request()).rejects.toThrow(/does not think/);
  const none = await responses.create({ model, input: 'Hello.', reasoning: { effort: 'none' } });
  expect(none.output.map(({ type }) => type)).toEqual(['message']);
});

test('what it thinks is hidden where a request does not ask to see it', async () => {
  await using gateway = await mock();
  const { responses } = openai(gateway);
  const asked = { model, input: 'Say hello.', reasoning: { effort: 'high' as const } };
  const whole = await responses.create(asked);
  expect(whole.output).toMatchObject([{ type: 'reasoning', summary: [] }, { type: 'message' }]);
  expect(whole.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(5);
  const streamed = await responses.stream(asked).finalResponse();
  expect(streamed.output_text).toBe(whole.output_text);
  expect(streamed.output[0]).toMatchObject({ type: 'reasoning', summary: [] });
  const anthropic = anthropicOf(gateway);
  const request = {
    model,
    max_tokens: 100,
    thinking: { type: 'adaptive' as const, display: 'omitted' as const },
    messages: [{ role: 'user' as const, content: 'Say hello.' }],
  };
  for (const { content } of [
    await anthropic.messages.create(request),
    await anthropic.messages.stream(request).finalMessage(),
  ]) {
    const signature = expect.stringMatching(/./);
    expect(content).toMatchObject([
      { type: 'thinking', thinking: '', signature },
      { type: 'text' },
    ]);
  }
  const { models } = genaiOf(gateway);
  const generative = {
    model,
    contents: 'Say hello.',
    config: { thinkingConfig: { thinkingBudget: 99 }, maxOutputTokens: 5 },
  };
  const cut = await models.generateContent(generative);
  const chunks = [];
  for await (const chunk of await models.generateContentStream(generative)) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  for (const { candidates, usageMetadata } of [cut, ...chunks]) {
    expect(candidates).toMatchObject([{ finishReason: 'MAX_TOKENS', content: { role: 'model' } }]);
    expect(candidates?.[0]?.content?.parts).toBeUndefined();
    expect(usageMetadata).toMatchObject({ thoughtsTokenCount: 5, candidatesTokenCount: 0 });
  }
});
