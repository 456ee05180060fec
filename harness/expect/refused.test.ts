import { expect, test } from 'vitest';
import { denied } from './denied.ts';
import { refused } from './refused.ts';
import { openAiError, response } from './samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from './samples/exchange.ts';

test('4xx is a refusal, with whatever body', () => {
  for (const body of [openAiError, '<html>no</html>', undefined, {}]) {
    expect(refused(sample({ status: 404, body }))).toEqual({ state: 'yes' });
  }
});

test('501 refuses a capability and nothing else; another 5xx refuses nothing', () => {
  expect(refused(sample({ status: 501 }))).toHaveProperty('state', 'no');
  expect(refused(sample({ status: 501 }), { capability: true })).toEqual({ state: 'yes' });
  expect(refused(sample({ status: 500 }), { capability: true })).toHaveProperty('state', 'no');
});

test('what decides nothing is undecided', () => {
  for (const status of [402, 429, 502, 503, 504, 529]) {
    expect(refused(sample({ status }))).toHaveProperty('state', 'undecided');
  }
});

test('an answer is no refusal, and is shown', () => {
  expect(refused(sample({ body: response }))).toEqual({
    state: 'no',
    actual: '200 with a generated answer: “Hello there”',
  });
  expect(refused(sample({ status: 400, body: response }))).toHaveProperty('state', 'no');
  expect(refused(sample({ body: openAiError }))).toHaveProperty('state', 'no');
});

test('a stream refuses by an error event before any other', () => {
  const error =
    'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"no"}}\n\n';
  const created = `data: ${JSON.stringify({ type: 'response.created', response })}\n\n`;
  expect(refused(sampleStream(`: hello\n\n${error}`))).toEqual({ state: 'yes' });
  expect(refused(sampleStream(created + error))).toHaveProperty('state', 'no');
  const overloaded =
    'data: {"type":"error","error":{"type":"overloaded_error","message":"no"}}\n\n';
  expect(refused(sampleStream(overloaded))).toHaveProperty('state', 'undecided');
  const native = 'data: {"error":{"code":404,"message":"no","status":"NOT_FOUND"}}\n\n';
  expect(refused(sampleStream(native, { protocol: 'generative' }))).toEqual({ state: 'yes' });
});

test('a socket refuses by an error frame, by a close code, or by not opening', () => {
  const create = ['>', { type: 'response.create' }] as const;
  const error = { type: 'error', status: 400, error: { code: 'x', message: 'no' } };
  expect(refused(sampleSocket([create, ['<', error]]))).toEqual({ state: 'yes' });
  for (const code of [1008, 3000, 4999]) {
    const close = { code, reason: '', by: 'gateway' } as const;
    expect(refused(sampleSocket([create], { close }))).toEqual({ state: 'yes' });
  }
  for (const code of [1000, 1011]) {
    const close = { code, reason: '', by: 'gateway' } as const;
    expect(refused(sampleSocket([create], { close }))).toHaveProperty('state', 'no');
  }
  const ours = { code: 1008, reason: '', by: 'us' } as const;
  expect(refused(sampleSocket([create], { close: ours }))).toHaveProperty('state', 'no');
  const upgrade = sample({ method: 'GET', status: 401, body: openAiError });
  expect(refused(upgrade)).toEqual({ state: 'yes' });
});

test('a denial shows nothing of what is stored', () => {
  const secret = ['walnut'];
  expect(denied(sample({ status: 404, body: openAiError }), { secret })).toEqual({ state: 'yes' });
  const body = { error: { ...openAiError.error, message: 'you said W\u0061lnut, which is gone' } };
  expect(denied(sample({ status: 404, body }), { secret })).toHaveProperty('state', 'no');
  const escaped = '{"error":{"message":"w\\u0061lnut","type":"x"}}';
  expect(denied(sample({ status: 404, body: escaped }), { secret })).toHaveProperty('state', 'no');
  const headers = [['x-debug', 'walnut']] as const;
  expect(denied(sample({ status: 404, headers }), { secret })).toHaveProperty('state', 'no');
  expect(denied(sample({ body: response }), { secret })).toHaveProperty('state', 'no');
});
