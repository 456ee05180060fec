import { expect, test } from 'vitest';
import { recognise } from './recognised.ts';

test.each([
  ['/v1/responses', false, 'responses.create'],
  ['/v1/chat/completions', false, 'chat-completions.create'],
  ['/v1/messages', false, 'messages.create'],
  ['/v1beta/models/m%2Fa:generateContent', false, 'generative.generate'],
  ['/v1beta/models/m:streamGenerateContent', false, 'generative.stream'],
  ['/v1beta/models/m:countTokens', false, 'generative.count-tokens'],
  ['/v1/models/m:generateContent', false, 'generative.generate'],
  ['/v1/models/m:streamGenerateContent', false, 'generative.stream'],
  ['/v1/models/m:countTokens', false, 'generative.count-tokens'],
  ['/v1beta/models/m/a:generateContent', false, undefined],
  ['/v1/v1beta/models/m:generateContent', false, undefined],
  ['//v1/responses', false, undefined],
])('POST %s', (path, stream, operation) => {
  const query = new URLSearchParams();
  const found = recognise({ method: 'POST', path, query, stream, upgrade: false });
  expect(found?.operation).toBe(operation);
});
