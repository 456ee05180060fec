import { expect, test } from 'vitest';
import { operationOf, storedIdIn } from './endpoints.ts';

test.each([
  ['/v1/responses', 'responses.create'],
  ['/v1/chat/completions', 'chat-completions.create'],
  ['/v1/messages', 'messages.create'],
  ['/v1beta/models/m%2Fa:generateContent', 'generative.generate'],
  ['/v1beta/models/m:streamGenerateContent', 'generative.stream'],
  ['/v1beta/models/m:countTokens', 'generative.count-tokens'],
  ['/v1/models/m:generateContent', 'generative.generate'],
  ['/v1/models/m:streamGenerateContent', 'generative.stream'],
  ['/v1/models/m:countTokens', 'generative.count-tokens'],
  ['/v1beta/models/m/a:generateContent', undefined],
  ['/v1/v1beta/models/m:generateContent', undefined],
  ['//v1/responses', undefined],
])('POST %s', (path, operation) => {
  const url = { pathname: path, searchParams: new URLSearchParams() };
  const found = operationOf({ method: 'POST', url, body: null, upgrades: false }, 'http://g');
  expect(found?.operation).toBe(operation);
});

test.each([
  ['responses.lookup', 'https://gateway.example/base/v1/responses/resp%2F1', 'resp/1'],
  ['responses.recover', '/v1/responses/resp_1', 'resp_1'],
  ['responses.cancel', '/v1/responses/resp_1/cancel?x=y', 'resp_1'],
  ['responses.lookup', '/v1/no-such-path', null],
  ['responses.compact', '/v1/responses/compact', null],
])('%s at %s acts on %s', (operation, address, id) => {
  expect(storedIdIn(operation, address)).toBe(id);
});
