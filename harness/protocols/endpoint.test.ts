import { expect, test } from 'vitest';
import { type BodyKind, bodyKind, isEnvelope, isNativeBody } from './endpoint.ts';
import { sample } from './samples/exchange.ts';

test.each([
  ['GET', 'http://127.0.0.1/gateway/v1/responses/resp_1?stream=true', 'response'],
  ['get', '/v1/responses/resp_1?stream=true', 'response'],
  ['GET', '/v1/models?limit=1', 'models'],
  ['DELETE', '/v1/responses/resp_1', 'deleted'],
  ['PUT', '/v1/responses/resp_1', null],
  ['GET', 'http://127.0.0.1/v1/other', null],
])('%s %s gives %s', (method, url, kind) => {
  expect(bodyKind(sample({ method, url }))).toBe(kind);
});

const recognised: readonly (readonly [BodyKind, unknown, boolean])[] = [
  ['response', { object: 'response' }, true],
  ['response', { output: [] }, true],
  ['response', { object: 'chat.completion' }, false],
  ['completion', { object: 'chat.completion' }, true],
  ['completion', { choices: [] }, true],
  ['completion', { object: 'response' }, false],
  ['message', { type: 'message', role: 'assistant' }, true],
  ['message', { content: [] }, true],
  ['message', { type: 'message', role: 'user' }, false],
  ['message', { type: 'error', role: 'assistant' }, false],
  ['systemone', { object: 'response' }, false],
  ['systemone', { object: 'chat.completion' }, false],
  ['systemone', { object: 'a response' }, true],
  ['systemone', {}, false],
  ['response', [{ output: [] }], false],
];

test.each(recognised)('%s %j: %s', (kind, body, native) => {
  expect(isNativeBody(kind, body)).toBe(native);
});

const enveloped: readonly (readonly [BodyKind | null, unknown, boolean])[] = [
  ['response', { data: {}, requestId: 'r' }, true],
  ['response', { data: {}, request_id: 'r' }, true],
  ['response', { data: {} }, false],
  ['response', { requestId: 'r' }, false],
  ['response', [], false],
  // Its own members stand at the top.
  ['response', { output: [], data: {}, requestId: 'r' }, false],
  ['models', { data: [], requestId: 'r' }, true],
  ['models', { object: 'list', data: [], requestId: 'r' }, false],
  ['systemone', { data: { answers: {} }, requestId: 'r' }, true],
  ['deleted', { data: { deleted: true }, requestId: 'r' }, true],
  [null, { data: {}, requestId: 'r' }, true],
];

test.each(enveloped)('of %s, %j is an envelope: %s', (kind, body, envelope) => {
  expect(isEnvelope(kind, body)).toBe(envelope);
});
