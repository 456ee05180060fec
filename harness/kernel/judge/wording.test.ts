import { expect, test } from 'vitest';
import { openAiError, response } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { cutAround, outcome, requestInWords, sentInWords } from './wording.ts';

const cases = [
  [sample({ body: response }), '200 with a generated answer: “Hello there”'],
  [sample({ status: 404, body: openAiError }), '404 with the error invalid_request_error: no'],
  [
    sample({ status: 404, body: { error: 'Not Found', message: 'Cannot GET /v1/x', status: 404 } }),
    '404 with the error Not Found: Cannot GET /v1/x',
  ],
  [sample({ status: 401, body: { error: 'no key' } }), '401 with the error no key'],
  [
    sample({ status: 500, body: '<h1>oh</h1>' }),
    '500 with a body that is not JSON (text/plain): <h1>oh</h1>',
  ],
  [sample({ status: 204 }), '204 with an empty body'],
  [sample({ body: {} }), '200 with JSON {}'],
  [
    sample({ body: { data: {}, requestId: 'r' } }),
    '200 with an envelope around the body: JSON {"data":{},"requestId":"r"}',
  ],
  [sampleStream(''), '200 with no events'],
  [sampleStream('data: {"type":"x"}\n\n'), '200 with 1 event, the last of them {"type":"x"}'],
  [
    sample({ status: null, failure: { kind: 'unreachable', message: 'ECONNREFUSED 127.0.0.1:1' } }),
    'no answer: the gateway could not be reached (ECONNREFUSED 127.0.0.1:1)',
  ],
  [
    sampleSocket([], { close: { code: 1008, reason: 'no key', by: 'gateway' } }),
    'an open WebSocket with no frames, closed by the gateway with 1008 (no key)',
  ],
] as const;

test.each(cases)('%#: %s', (exchange, words) => {
  expect(outcome(exchange)).toBe(words);
});

test('a request is named by its method and path, of which an oversized id is left out', () => {
  const exchange = sample({ body: {} });
  const at = (url: string) => ({
    ...exchange,
    request: { ...exchange.request, method: 'POST', url },
  });
  expect(requestInWords(at('https://gateway.example/v1/responses?x=1'))).toBe('POST /v1/responses');
  const long = `https://gateway.example/v1beta/models/${'m'.repeat(8000)}:generateContent`;
  expect(requestInWords(at(long))).toMatch(/^POST \/v1beta\/models\/m+…m+:generateContent$/);
  expect(requestInWords(at(long)).length).toBeLessThan(200);
});

test('a request is told by what sets it apart from others, and not by a name of ours', () => {
  const { request, ...rest } = sample({ body: {} });
  const url = 'https://gateway.example/v1/chat/completions';
  const sent = (members: object) => {
    const text = JSON.stringify({ model: 'm', messages: [], ...members });
    const body = new TextEncoder().encode(text);
    return sentInWords({ ...rest, request: { ...request, method: 'POST', url, body } });
  };
  expect(sent({})).toBe('POST /v1/chat/completions');
  expect(sent({ stream: true, stop: ['seven'] })).toBe(
    'POST /v1/chat/completions with stream: true, stop: ["seven"]',
  );
  expect(sent({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toMatch(/ with a: 1, b: 2, c: 3, d: 4, …$/);
});

test('a text is cut around what is wrong in it', () => {
  const text = `${'before '.repeat(20)}\nseven\n${'after '.repeat(20)}`;
  expect(cutAround(text, 'seven')).toMatch(/^“….{20,30} seven .{20,30}…”$/);
  expect(cutAround('six seven', 'seven')).toBe('“six seven”');
  expect(cutAround(`seven ${'x'.repeat(99)}`, 'seven')).toMatch(/^“seven x+…”$/);
});
