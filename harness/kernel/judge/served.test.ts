import { expect, test } from 'vitest';
import { protocols } from '../core/protocol.ts';
import {
  candidates,
  completion,
  decision,
  nativeMessage,
  openAiError,
  response,
} from '../protocols/samples/bodies.ts';
import { sample } from '../protocols/samples/exchange.ts';
import { isServed, served } from './served.ts';

const operations = [
  ['responses.create', response],
  ['chat-completions.create', completion],
  ['messages.create', nativeMessage],
  ['messages.count-tokens', { input_tokens: 3 }],
  ['generative.generate', candidates],
  ['generative.count-tokens', { totalTokens: 3 }],
  ['systemone.create', decision],
  ['responses.compact', { id: 'x', object: 'response.compaction', output: [] }],
  ['responses.input-tokens', { object: 'response.input_tokens', input_tokens: 3 }],
  ['responses.cancel', { ...response, status: 'cancelled', output: [] }],
] as const;

test.each(operations)('%s: served by its own body and by no other', (operation, body) => {
  const protocol = protocols.find((name) => operation.startsWith(`${name}.`)) ?? 'probe';
  const at = { protocol, operation } as const;
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
  ['models.list', { object: 'list', data: [] }, 'yes'],
  ['models.list', { data: [], requestId: 'r' }, 'no'],
  ['models.catalog', { models: [] }, 'yes'],
  ['responses.lookup', response, 'yes'],
  ['responses.lookup', { ...response, status: 'queued', output: [] }, 'yes'],
  ['responses.input-items', { object: 'list', data: [] }, 'yes'],
  ['responses.input-items', { data: { object: 'list', data: [] }, requestId: 'r' }, 'no'],
  ['responses.delete', { id: 'resp_1', deleted: true }, 'yes'],
  ['responses.delete', undefined, 'yes'],
  ['responses.delete', { data: { deleted: true }, requestId: 'r' }, 'no'],
])('%s %j: %s', (operation, body, state) => {
  expect(served(sample({ operation, body }))).toHaveProperty('state', state);
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
    actual: '200, and then the connection broke before the message was complete (ECONNRESET)',
  });
});

test('an upgrade that is answered with a body is not served', () => {
  const upgrade = { method: 'GET', url: 'ws://127.0.0.1/v1/responses', body: response };
  expect(served(sample(upgrade)).state).toBe('no');
});

test('a generated response is no compacted one', () => {
  const at = { operation: 'responses.compact' };
  expect(served(sample({ ...at, body: response })).state).toBe('no');
  const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' };
  expect(served(sample({ ...at, body: { object: 'x', output: [item] } })).state).toBe('yes');
});

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

test('a connection that broke before any answer decides nothing', () => {
  const failure = { kind: 'reset', message: '' } as const;
  expect(served(sample({ status: null, failure })).state).toBe('undecided');
  expect(isServed(sample({ status: null, failure }))).toBe(false);
});

test('a body that was whole when we cut it is served', () => {
  const failure = { kind: 'cut', message: '' } as const;
  expect(served(sample({ body: response, failure })).state).toBe('yes');
});

test('an empty body serves nothing but a deletion', () => {
  expect(served(sample({ body: undefined })).state).toBe('no');
  expect(served(sample({ operation: 'responses.delete' })).state).toBe('yes');
});

test.each([
  [{ any: 'object' }, 'yes'],
  ['"text"', 'no'],
  ['no JSON', 'no'],
  [{ data: { any: 'object' }, requestId: 'r' }, 'no'],
])('at an endpoint that the interface does not have, %j: %s', (body, state) => {
  expect(served(sample({ operation: 'other', body })).state).toBe(state);
});

test('a deletion that is answered as a lookup is does not say that anything was deleted', () => {
  const at = { operation: 'responses.delete' };
  expect(served(sample({ ...at, body: response })).state).toBe('undecided');
  expect(served(sample({ ...at, body: { ...response, deleted: true } })).state).toBe('yes');
  // Elsewhere a whole response is the answer.
  expect(served(sample({ operation: 'responses.lookup', body: response })).state).toBe('yes');
});

test('a decision that is the request itself is none; a count may be', () => {
  const systemone = { protocol: 'systemone' } as const;
  const mirrored = sample({ ...systemone, body: decision, send: decision });
  expect(served(mirrored).state).toBe('no');
  const other = { ...decision, model: 'm-2' };
  expect(served(sample({ ...systemone, body: decision, send: other })).state).toBe('yes');
  const count = { input_tokens: 3 };
  const messages = { protocol: 'messages', operation: 'messages.count-tokens' } as const;
  expect(served(sample({ ...messages, body: count, send: count })).state).toBe('yes');
});

test('only a response can say that its run failed', () => {
  const body = { ...completion, status: 'failed' };
  expect(served(sample({ protocol: 'chat-completions', body })).state).toBe('yes');
});
