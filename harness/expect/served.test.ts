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
import { asksForStream, isServed, served } from './served.ts';

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

const url = 'http://127.0.0.1/v1/responses';

test.each([
  [101, 'no'],
  [199, 'no'],
  [201, 'yes'],
  [299, 'yes'],
  [300, 'no'],
])('status %i with a good body: %s', (status, state) => {
  expect(served(sample({ status, body: response })).state).toBe(state);
});

test('a model may be called as a socket is', () => {
  const named = 'http://127.0.0.1/v1/models/wss:1:generateContent';
  expect(isServed(sample({ protocol: 'generative', url: named, body: candidates }))).toBe(true);
});

test('what broke before any answer is not served', () => {
  const failure = { kind: 'reset', message: '' } as const;
  expect(served(sample({ status: null, failure })).state).toBe('no');
  expect(isServed(sample({ status: null, failure }))).toBe(false);
});

test('a body that was whole when we broke off is served', () => {
  const failure = { kind: 'cut', message: '' } as const;
  expect(served(sample({ body: response, failure })).state).toBe('yes');
});

test('an empty body serves nothing but a deletion', () => {
  expect(served(sample({ url, body: undefined })).state).toBe('no');
  expect(served(sample({ url: `${url}/resp_1`, method: 'DELETE' })).state).toBe('yes');
});

test.each([
  [{ any: 'object' }, 'yes'],
  ['"text"', 'no'],
  ['no JSON', 'no'],
  [{ data: { any: 'object' }, requestId: 'r' }, 'no'],
])('at an endpoint that the interface does not have, %j: %s', (body, state) => {
  expect(served(sample({ url: 'http://127.0.0.1/v1/other', body })).state).toBe(state);
});

test('a deletion that is answered as a lookup is does not say that anything was deleted', () => {
  const at = { method: 'DELETE', url: `${url}/resp_1` };
  expect(served(sample({ ...at, body: response })).state).toBe('undecided');
  expect(served(sample({ ...at, body: { ...response, deleted: true } })).state).toBe('yes');
  // Elsewhere a whole response is the answer.
  expect(served(sample({ method: 'GET', url: at.url, body: response })).state).toBe('yes');
});

test('a decision that is the request itself is none; a count may be', () => {
  const systemone = { protocol: 'systemone', url: 'http://127.0.0.1/v1/systemone' };
  const mirrored = sample({ ...systemone, body: decision, send: decision });
  expect(served(mirrored).state).toBe('no');
  const other = { ...decision, model: 'm-2' };
  expect(served(sample({ ...systemone, body: decision, send: other })).state).toBe('yes');
  const count = { input_tokens: 3 };
  const messages = { protocol: 'messages', url: 'http://127.0.0.1/v1/messages/count_tokens' };
  expect(served(sample({ ...messages, body: count, send: count })).state).toBe('yes');
});

test('only a response can say that its run failed', () => {
  const body = { ...completion, status: 'failed' };
  const chat = { protocol: 'chat-completions', url: 'http://127.0.0.1/v1/chat/completions' };
  expect(served(sample({ ...chat, body })).state).toBe('yes');
});

test.each([
  ['/v1beta/models/m:streamGenerateContent?alt=sse', undefined, true],
  ['/v1beta/models/m:streamGenerateContent', undefined, true],
  ['/v1beta/models/m:streamGenerateContents', undefined, false],
  ['/v1beta/models/m:generateContent', undefined, false],
  ['/v1/responses/resp_1?stream=true&starting_after=3', undefined, true],
  ['/v1/responses/resp_1?stream=false', undefined, false],
  ['/v1/responses/resp_1?flow=true', undefined, false],
  ['/v1/responses', { stream: true }, true],
  ['/v1/responses', { stream: false }, false],
  ['/v1/responses', { stream: 'true' }, false],
  ['/v1/responses', [true], false],
])('%s with %j asks for a stream: %s', (path, send, asks) => {
  expect(asksForStream(sample({ url: `http://127.0.0.1${path}`, send }))).toBe(asks);
});

test('an address that is none asks for what its body asks for', () => {
  expect(asksForStream(sample({ url: 'nowhere?stream=true' }))).toBe(false);
});

test('an error or an envelope in a stream is not served, wherever it stands', () => {
  const error = { type: 'error', error: { code: 'invalid_request', message: 'no' } };
  const envelope = { data: response, requestId: 'r' };
  for (const event of [error, envelope]) {
    expect(served(sampleStream(sse(created, event, completed))).state).toBe('no');
    expect(served(sampleStream(sse(created, completed, event))).state).toBe('no');
  }
});

test('a run that failed in its stream is undecided', () => {
  const run = { ...response, status: 'failed', error: { code: 'server_error', message: 'oh' } };
  const failed = { type: 'response.failed', sequence_number: 1, response: run };
  expect(served(sampleStream(sse(created, failed))).state).toBe('undecided');
});

test('foreign events do not count, cut or not', () => {
  const chunk = { object: 'chat.completion.chunk', choices: [] };
  const failure = { kind: 'cut', message: '' } as const;
  expect(served(sampleStream(sse(chunk), { failure })).state).toBe('no');
  expect(served(sampleStream(sse(chunk)), { nothingLeft: true }).state).toBe('no');
  expect(served(sampleStream('data: {}\n\n', { protocol: 'systemone' })).state).toBe('no');
});

test('a socket that has come to its end may fall silent then', () => {
  const failure = { kind: 'timeout', message: '' } as const;
  const whole = [['<', created] as const, ['<', completed] as const];
  expect(served(sampleSocket(whole, { failure })).state).toBe('yes');
});

test.each([
  ['responses', { type: 'response.completed', response }, 'yes'],
  ['responses', { type: 'response.incomplete', response }, 'yes'],
  ['responses', { type: 'response.completed.soon' }, 'no'],
  ['responses', { type: 'vendor.response.completed', sequence_number: 1 }, 'no'],
  ['responses', { type: 5, sequence_number: 1 }, 'no'],
  ['chat-completions', { choices: [{ finish_reason: 'stop' }] }, 'yes'],
  ['chat-completions', { choices: [{ finish_reason: 'stop' }, { finish_reason: null }] }, 'yes'],
  ['chat-completions', { choices: [{ finish_reason: null }] }, 'no'],
  ['messages', { type: 'message_stop' }, 'yes'],
  ['messages', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, 'yes'],
  ['messages', { type: 'message_delta', delta: { stop_reason: null } }, 'no'],
  ['messages', { type: 'message_start', message: {} }, 'no'],
  ['generative', { candidates: [{ finishReason: 'STOP' }] }, 'yes'],
  ['generative', { candidates: [{ finishReason: 'STOP' }, {}] }, 'yes'],
  ['generative', { candidates: [{}], promptFeedback: {} }, 'yes'],
  ['generative', { candidates: [{}] }, 'no'],
])('the native end of %s: %j: %s', (protocol, event, state) => {
  const begun: Readonly<Record<string, object>> = {
    responses: created,
    'chat-completions': { choices: [] },
    messages: { type: 'message_start', message: {} },
    generative: { candidates: [] },
  };
  const stream = `${sse(begun[protocol] ?? {})}data: no JSON\n\n${sse(event)}`;
  expect(served(sampleStream(stream, { protocol })).state).toBe(state);
});

test('where [DONE] ends a stream, a lost finish reason is no lost answer', () => {
  const chunk = { choices: [{ finish_reason: null }] };
  const done = `${sse(chunk)}data: [DONE]\n\n`;
  expect(served(sampleStream(done, { protocol: 'chat-completions' })).state).toBe('yes');
  const messages = `${sse({ type: 'message_start', message: {} })}data: [DONE]\n\n`;
  expect(served(sampleStream(messages, { protocol: 'messages' })).state).toBe('no');
});
