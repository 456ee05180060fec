import { expect, test } from 'vitest';
import {
  candidates,
  completion,
  decision,
  nativeMessage,
  openAiError,
  response,
} from './samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from './samples/exchange.ts';
import { served } from './served.ts';

const endpoints = [
  ['responses', '/v1/responses', response],
  ['chat-completions', '/v1/chat/completions', completion],
  ['messages', '/v1/messages', nativeMessage],
  ['messages', '/v1/messages/count_tokens', { input_tokens: 3 }],
  ['generative', '/v1beta/models/m:generateContent', candidates],
  ['generative', '/v1/models/m:generateContent', candidates],
  ['generative', '/v1beta/models/m:countTokens', { totalTokens: 3 }],
  ['systemone', '/v1/systemone', decision],
  ['responses', '/v1/responses/compact', { id: 'x', object: 'response.compaction', output: [] }],
  ['responses', '/v1/responses/input_tokens', { object: 'response.input_tokens', input_tokens: 3 }],
  ['responses', '/v1/responses/resp_1/cancel', { ...response, status: 'cancelled', output: [] }],
] as const;

test.each(endpoints)('%s %s: served by its own body and by no other', (protocol, path, body) => {
  const at = { protocol, url: `http://127.0.0.1/gateway/eu${path}` };
  expect(served(sample({ ...at, body }))).toEqual({ state: 'yes' });
  const envelope = { data: body, requestId: 'r' };
  for (const other of [{}, [], 'hello', '<html></html>', envelope, openAiError, null]) {
    expect(served(sample({ ...at, body: other })), JSON.stringify(other)).toHaveProperty(
      'state',
      'no',
    );
  }
  const echo = {
    model: 'm',
    input: 'hi',
    messages: [{ role: 'user', content: 'hi' }],
    contents: [],
  };
  expect(served(sample({ ...at, body: echo, send: echo }))).toHaveProperty('state', 'no');
});

test.each([
  ['GET', '/v1/models', { object: 'list', data: [] }, 'yes'],
  ['GET', '/v1/models', { data: [], requestId: 'r' }, 'no'],
  ['GET', '/v1beta/models', { models: [] }, 'yes'],
  ['GET', '/v1/responses/resp_1', response, 'yes'],
  ['GET', '/v1/responses/resp_1', { ...response, status: 'queued', output: [] }, 'yes'],
  ['GET', '/v1/responses/resp_1/input_items', { object: 'list', data: [] }, 'yes'],
  [
    'GET',
    '/v1/responses/resp_1/input_items',
    { data: { object: 'list', data: [] }, requestId: 'r' },
    'no',
  ],
  ['DELETE', '/v1/responses/resp_1', { id: 'resp_1', deleted: true }, 'yes'],
  ['DELETE', '/v1/responses/resp_1', undefined, 'yes'],
  ['DELETE', '/v1/responses/resp_1', { data: { deleted: true }, requestId: 'r' }, 'no'],
])('%s %s %j: %s', (method, path, body, state) => {
  expect(served(sample({ method, url: `http://127.0.0.1${path}`, body }))).toHaveProperty(
    'state',
    state,
  );
});

test('4xx, 5xx and redirects are not served', () => {
  for (const status of [301, 400, 404, 500, 501]) {
    const judged = served(sample({ status, body: openAiError }));
    expect(judged).toHaveProperty('state', 'no');
    expect(judged).toHaveProperty('actual', `${status} with the error invalid_request_error: no`);
  }
});

test('what decides nothing is undecided', () => {
  for (const status of [402, 429, 502, 503, 504, 529]) {
    expect(served(sample({ status }))).toHaveProperty('state', 'undecided');
  }
  for (const kind of ['unreachable', 'timeout', 'interrupted'] as const) {
    const judged = served(sample({ status: null, failure: { kind, message: 'sorry' } }));
    expect(judged).toHaveProperty('state', 'undecided');
  }
  const failed = { ...response, status: 'failed', error: { code: 'server_error', message: 'oh' } };
  expect(served(sample({ body: failed }))).toHaveProperty('state', 'undecided');
});

test('a broken connection is a failure, with what came', () => {
  const failure = { kind: 'reset', message: 'ECONNRESET' } as const;
  expect(served(sample({ body: response, failure }))).toEqual({
    state: 'no',
    actual: '200, and then the connection broke before the message was whole (ECONNRESET)',
  });
});

test('plain JSON is no answer where a stream was asked for', () => {
  const asked = sample({ body: response, send: { model: 'm', stream: true } });
  expect(served(asked)).toHaveProperty('state', 'no');
});

const created = {
  type: 'response.created',
  sequence_number: 0,
  response: { ...response, output: [] },
};
const completed = { type: 'response.completed', sequence_number: 1, response };

function sse(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

test('a stream is served when it comes to its native end', () => {
  expect(served(sampleStream(sse(created, completed)))).toEqual({ state: 'yes' });
  expect(served(sampleStream(sse(created)))).toHaveProperty('state', 'no');
  expect(served(sampleStream(''))).toHaveProperty('state', 'no');
  expect(served(sampleStream(''), { nothingLeft: true })).toEqual({ state: 'yes' });
  const cut = { failure: { kind: 'cut', message: '' } } as const;
  expect(served(sampleStream(sse(created), cut))).toEqual({ state: 'yes' });
  const limited = { type: 'error', error: { code: 'rate_limit_exceeded', message: 'wait' } };
  expect(served(sampleStream(sse(created, limited)))).toHaveProperty('state', 'undecided');
});

test("another protocol's stream is none of its own", () => {
  const chat = 'data: {"object":"chat.completion.chunk","choices":[{"finish_reason":"stop"}]}\n\n';
  expect(served(sampleStream(chat))).toHaveProperty('state', 'no');
  expect(served(sampleStream(chat, { protocol: 'chat-completions' }))).toEqual({ state: 'yes' });
});

test('a socket is served by a turn that comes to its end', () => {
  const create = { type: 'response.create', model: 'm', input: 'hi' };
  expect(
    served(
      sampleSocket([
        ['>', create],
        ['<', created],
        ['<', completed],
      ]),
    ),
  ).toEqual({ state: 'yes' });
  expect(
    served(
      sampleSocket([
        ['>', create],
        ['<', created],
      ]),
    ),
  ).toHaveProperty('state', 'no');
  expect(served(sampleSocket([['>', create]]))).toHaveProperty('state', 'no');
});

test('a socket that falls silent is undecided', () => {
  const failure = { kind: 'timeout', message: '60000 ms' } as const;
  const create = { type: 'response.create', model: 'm', input: 'hi' };
  for (const frames of [[], [['<', created]] as const]) {
    const silent = sampleSocket([['>', create], ...frames], { failure });
    expect(served(silent)).toHaveProperty('state', 'undecided');
  }
});

test('an upgrade that is answered with a body is not served', () => {
  const upgrade = { method: 'GET', url: 'ws://127.0.0.1/v1/responses', body: response };
  expect(served(sample(upgrade)).state).toBe('no');
});

test('a generated response is no compacted one', () => {
  const at = { protocol: 'responses', url: 'http://127.0.0.1/v1/responses/compact' };
  expect(served(sample({ ...at, body: response })).state).toBe('no');
  const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' };
  expect(served(sample({ ...at, body: { object: 'x', output: [item] } })).state).toBe('yes');
});
