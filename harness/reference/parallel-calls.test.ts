import { afterAll, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { startReference } from './start.ts';
import { bearer, post, type Received } from './testing-requests.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
afterAll(() => gateway.close());

const question = 'What is the weather in Paris and in Rome?';
const weather = {
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const model = 'ts-omni';
const messages = [{ role: 'user', content: question }];
const chat = {
  model,
  messages,
  tools: [{ type: 'function', function: weather }],
  tool_choice: 'required',
};
const message = {
  model,
  messages,
  max_tokens: 64,
  tools: [{ name: weather.name, input_schema: weather.parameters }],
};

function send(path: string, body: Json): Promise<Received> {
  const { owner } = gateway.keys;
  const headers = {
    ...bearer(owner),
    'x-api-key': owner,
    'x-vendorb-api-key': owner,
    'vendora-version': '2026-10-21',
  };
  return post(`${gateway.regions[0]?.baseUrl}${path}`, headers, body);
}

test('one body on Chat Completions has a call for each city, with an id each', async () => {
  const { json } = await send('/v1/chat/completions', chat);
  const calls: { id: string; function: { arguments: string } }[] =
    Object(json).choices[0].message.tool_calls;
  expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
    { city: 'Paris' },
    { city: 'Rome' },
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
});

test.for([
  ['/v1/chat/completions', { ...chat, parallel_tool_calls: false }],
  ['/v1/messages', { ...message, tool_choice: { type: 'any', disable_parallel_tool_use: true } }],
  [
    '/v1/responses',
    {
      model,
      input: question,
      tools: [{ type: 'function', ...weather }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
  ],
] as const)('%s makes one call where only one is wanted', async ([path, body]) => {
  const { json } = await send(path, JSON.parse(JSON.stringify(body)));
  expect(JSON.stringify(json)).toContain('Paris');
  expect(JSON.stringify(json)).not.toContain('Rome');
});

test('a stream of Messages has a block for each, one after another', async () => {
  const body = { ...message, tool_choice: { type: 'any' }, stream: true };
  const { events } = await send('/v1/messages', body);
  const started = events
    .map(({ data }) => JSON.parse(data))
    .filter(({ type }) => type === 'content_block_start');
  expect(started.map(({ index }) => index)).toEqual([0, 1]);
  expect(new Set(started.map(({ content_block }) => content_block.id)).size).toBe(2);
});

test('a stream of Responses has an item for each, as its final response has', async () => {
  const { events } = await send('/v1/responses', {
    model,
    input: question,
    stream: true,
    tools: [{ type: 'function', ...weather }],
    tool_choice: 'required',
  });
  const parsed = events.map(({ data }) => JSON.parse(data));
  const done = parsed.filter(({ type }) => type === 'response.output_item.done');
  const final = parsed.at(-1).response.output;
  expect(done.map(({ item }) => item)).toEqual(final);
  expect(done.map(({ output_index }) => output_index)).toEqual([0, 1]);
  expect(final.map((item: { arguments: string }) => JSON.parse(item.arguments).city)).toEqual([
    'Paris',
    'Rome',
  ]);
});

test('generative-content has both in one candidate', async () => {
  const { json } = await send(`/v1beta/models/${model}:generateContent`, {
    contents: [{ role: 'user', parts: [{ text: question }] }],
    tools: [{ functionDeclarations: [weather] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  });
  const parts = Object(json).candidates[0].content.parts;
  expect(parts.map((part: { functionCall: { args: object } }) => part.functionCall.args)).toEqual([
    { city: 'Paris' },
    { city: 'Rome' },
  ]);
});
