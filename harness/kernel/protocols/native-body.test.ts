import { expect, test } from 'vitest';
import type { NativeBody } from './module.ts';
import { nativeAnswer } from './modules.ts';
import { isEnvelope, isNativeBody } from './native-body.ts';
import { sample } from './samples/exchange.ts';

test.each([
  ['responses.lookup', { object: 'response' }, true],
  ['models.list', { data: [] }, true],
  ['responses.delete', {}, true],
  ['responses.input-items', { data: 1 }, false],
])('%s is answered by %j: %s', (operation, body, answers) => {
  expect(answer(operation)?.has(body)).toBe(answers);
});

test('what is no operation of the interface has no native answer', () => {
  for (const operation of ['other', 'messages.lookup', 'probes.ledger', 'create']) {
    expect(answer(operation)).toBeNull();
  }
});

function answer(operation: string): NativeBody | null {
  return nativeAnswer(sample({ operation }));
}

/** The native body of an operation, which the interface has. */
function native(operation: string): NativeBody {
  const found = answer(operation);
  if (found === null) throw new Error(`There is no operation ${operation}`);
  return found;
}

const recognised: readonly (readonly [string, unknown, boolean])[] = [
  ['responses.create', { object: 'response' }, true],
  ['responses.create', { output: [] }, true],
  ['responses.create', { object: 'chat.completion' }, false],
  ['chat-completions.create', { object: 'chat.completion' }, true],
  ['chat-completions.create', { choices: [] }, true],
  ['chat-completions.create', { object: 'response' }, false],
  ['messages.create', { type: 'message', role: 'assistant' }, true],
  ['messages.create', { content: [] }, true],
  ['messages.create', { type: 'message', role: 'user' }, false],
  ['messages.create', { type: 'error', role: 'assistant' }, false],
  ['systemone.create', { object: 'response' }, false],
  ['systemone.create', { object: 'chat.completion' }, false],
  ['systemone.create', { object: 'a response' }, true],
  ['systemone.create', {}, false],
  ['responses.create', [{ output: [] }], false],
];

test.each(recognised)('%s %j: %s', (operation, body, isNative) => {
  expect(isNativeBody(native(operation), body)).toBe(isNative);
});

const enveloped: readonly (readonly [string | null, unknown, boolean])[] = [
  ['responses.create', { data: {}, requestId: 'r' }, true],
  ['responses.create', { data: {}, request_id: 'r' }, true],
  ['responses.create', { data: {} }, false],
  ['responses.create', { requestId: 'r' }, false],
  ['responses.create', [], false],
  // Its own members stand at the top.
  ['responses.create', { output: [], data: {}, requestId: 'r' }, false],
  ['models.list', { data: [], requestId: 'r' }, true],
  ['models.list', { object: 'list', data: [], requestId: 'r' }, false],
  ['systemone.create', { data: { answers: {} }, requestId: 'r' }, true],
  ['responses.delete', { data: { deleted: true }, requestId: 'r' }, true],
  [null, { data: {}, requestId: 'r' }, true],
];

test.each(enveloped)('of %s, %j is an envelope: %s', (operation, body, envelope) => {
  expect(isEnvelope(operation === null ? null : native(operation), body)).toBe(envelope);
});
