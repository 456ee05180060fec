import { describe, expect, test } from 'vitest';
import {
  contentOf,
  errorBody,
  hasGeneratedContent,
  isEnveloped,
  nativeBody,
  tokenCounts,
} from './content.ts';
import {
  candidates,
  completion,
  decision,
  nativeMessage,
  openAiError,
  response,
} from './samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from './samples/exchange.ts';
import { streamText } from './samples/streams.ts';

const said = [
  ['responses', response, 'resp_1', 'completed'],
  ['chat-completions', completion, 'chatcmpl_1', 'stop'],
  ['messages', nativeMessage, 'msg_1', 'end_turn'],
  ['generative', { ...candidates, responseId: 'r_1' }, 'r_1', 'STOP'],
] as const;

test.each(said)('a body of %s says what it says', (protocol, body, id, end) => {
  const exchange = sample({ protocol, body });
  expect(contentOf(exchange).text).toBe('Hello there');
  expect(contentOf(exchange).id).toBe(id);
  expect(contentOf(exchange).ending).toBe(end);
  expect([tokenCounts.input(exchange), tokenCounts.output(exchange)]).toEqual([3, 2]);
  expect(contentOf(exchange).items).toHaveLength(1);
  expect(contentOf(exchange).toolCalls).toEqual([]);
  expect(hasGeneratedContent(exchange)).toBe(true);
  expect(errorBody(exchange)).toBeNull();
});

test.each([
  ['responses', 'text', 'resp_1', 'completed', 2],
  ['chat-completions', 'usage', 'chatcmpl_1', 'stop', 2],
  ['messages', 'text', 'msg_1', 'end_turn', 2],
  ['generative', 'thoughts', null, 'STOP', 2],
] as const)('a stream of %s says the same', (protocol, name, id, end, output) => {
  const exchange = sampleStream(streamText(protocol, name), { protocol });
  expect(contentOf(exchange).text).toBe('Hello there');
  expect(contentOf(exchange).id).toBe(id);
  expect(contentOf(exchange).ending).toBe(end);
  expect(tokenCounts.output(exchange)).toBe(output);
  expect(contentOf(exchange).items).toHaveLength(1);
  expect(hasGeneratedContent(exchange)).toBe(true);
});

const weather = { name: 'weather', arguments: '{"city":"Oslo"}' };

describe('tool calls', () => {
  test.each([
    ['responses', 'function-call', 'call_fc_1'],
    ['chat-completions', 'tool-calls', 'call_1'],
    ['messages', 'tool-use', 'toolu_1'],
    ['generative', 'function-call', null],
  ] as const)('of a stream of %s', (protocol, name, id) => {
    const exchange = sampleStream(streamText(protocol, name), { protocol });
    expect(contentOf(exchange).toolCalls[0]).toEqual({ ...weather, id });
    expect(hasGeneratedContent(exchange)).toBe(true);
  });

  const call = { name: 'weather', arguments: weather.arguments };
  test.each([
    ['responses', { output: [{ type: 'function_call', call_id: 'c', ...call }] }, 'c'],
    [
      'chat-completions',
      { choices: [{ message: { tool_calls: [{ id: 'c', function: call }] } }] },
      'c',
    ],
    [
      'messages',
      { content: [{ type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Oslo' } }] },
      'c',
    ],
    [
      'generative',
      {
        candidates: [
          { content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] } },
        ],
      },
      null,
    ],
  ] as const)('of a body of %s', (protocol, body, id) => {
    expect(contentOf(sample({ protocol, body })).toolCalls).toEqual([{ ...weather, id }]);
  });
});

test('a socket turn is read like a stream', () => {
  const frames = streamText('responses', 'text')
    .split('\n')
    .filter((line) => line.startsWith('data: '));
  const exchange = sampleSocket([
    ['>', { type: 'response.create' }],
    ...frames.map((line) => ['<', line.slice(6)] as const),
  ]);
  expect(contentOf(exchange).text).toBe('Hello there');
  expect(nativeBody(exchange)).toMatchObject({ id: 'resp_1', status: 'completed' });
});

test('a decision and a compaction are generated content, a count and an error are not', () => {
  expect(hasGeneratedContent(sample({ protocol: 'systemone', body: decision }))).toBe(true);
  const compaction = { object: 'response.compaction', output: [{ type: 'compaction' }] };
  expect(hasGeneratedContent(sample({ body: compaction }))).toBe(true);
  expect(hasGeneratedContent(sample({ body: { input_tokens: 3 } }))).toBe(false);
  expect(hasGeneratedContent(sample({ status: 400, body: openAiError }))).toBe(false);
  expect(hasGeneratedContent(sample({ status: null }))).toBe(false);
});

test('counts', () => {
  expect(tokenCounts.result(sample({ body: { input_tokens: 3 } }))).toBe(3);
  expect(tokenCounts.result(sample({ protocol: 'generative', body: { totalTokens: 4 } }))).toBe(4);
  expect(tokenCounts.result(sample({ body: {} }))).toBeNull();
  expect(contentOf(sample({ body: {} })).usage).toBeNull();
});

test.each([
  [{ error: { message: 'no', type: 'a', code: 'b' } }, { message: 'no', type: 'a', code: 'b' }],
  [
    { type: 'error', error: { type: 'a', message: 'no' } },
    { message: 'no', type: 'a', code: null },
  ],
  [
    { error: { code: 404, message: 'no', status: 'NOT_FOUND' } },
    { message: 'no', type: 'NOT_FOUND', code: 404 },
  ],
  [
    { type: 'error', code: 'b', message: 'no', param: null },
    { message: 'no', type: null, code: 'b' },
  ],
  [{ type: 'error', status: 429, error: { code: 'b', message: 'no' } }, { status: 429 }],
  [
    { message: 'no', type: 'a', param: null, code: null },
    { message: 'no', type: 'a' },
  ],
  [{ message: 'no' }, { message: 'no' }],
  [{ error: 'no' }, { message: 'no' }],
  [{ detail: 'no' }, { message: 'no' }],
  [{ detail: { error_type: 'max' } }, { type: 'max', message: '{"error_type":"max"}' }],
])('the error in %j', (body, error) => {
  expect(errorBody(sample({ status: 400, body }))).toMatchObject(error);
});

test.each([
  [response],
  [{ ...response, status: 'failed', error: { code: 'server_error', message: 'oh' } }],
  [completion],
  [nativeMessage],
  [candidates],
  [decision],
  [{ object: 'list', data: [] }],
  [{ id: 'resp_1', deleted: true }],
  [{}],
])('no error in %j', (body) => {
  expect(errorBody(sample({ body }))).toBeNull();
});

test('an envelope around a body, an error or an event', () => {
  expect(isEnveloped(sample({ body: { data: response, requestId: 'r' } }))).toBe(true);
  expect(isEnveloped(sample({ status: 404, body: { data: null, requestId: 'r' } }))).toBe(true);
  expect(isEnveloped(sample({ body: response }))).toBe(false);
  const models = { protocol: 'models' } as const;
  expect(
    isEnveloped(sample({ ...models, body: { object: 'list', data: [], requestId: 'r' } })),
  ).toBe(false);
  expect(isEnveloped(sampleStream('data: {"data":{"type":"x"},"requestId":"r"}\n\n'))).toBe(true);
  expect(isEnveloped(sampleStream('data: {"type":"x","data":1,"requestId":"r"}\n\n'))).toBe(false);
});
