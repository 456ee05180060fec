import { describe, expect, test } from 'vitest';
import { openAiError, response } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { isRefused, isUnavailable, refused } from './refused.ts';

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

test('an error frame refuses with the statuses that refuse over HTTP', () => {
  const frame = (status: number) =>
    sampleSocket([
      ['>', { type: 'response.create' }],
      ['<', { type: 'error', status, error: { message: 'no' } }],
    ]);
  for (const status of [400, 404]) expect(isRefused(frame(status))).toBe(true);
  for (const status of [500, 501]) expect(isRefused(frame(status))).toBe(false);
  expect(isRefused(frame(501), { capability: true })).toBe(true);
});

test('what decides nothing is undecided', () => {
  for (const status of [402, 429, 502, 503, 504, 529]) {
    expect(refused(sample({ status }))).toHaveProperty('state', 'undecided');
  }
});

test('an error of 503 is unavailable, unless it speaks of load or of trying again', () => {
  const error = { error: { message: 'No channel serves this.', type: 'server_error' } };
  expect(isUnavailable(sample({ status: 503, body: error }))).toBe(true);
  expect(isUnavailable(sample({ status: 503 }))).toBe(false);
  const headers = [['Retry-After', '5']] as const;
  expect(isUnavailable(sample({ status: 503, body: error, headers }))).toBe(false);
  for (const message of ['Overloaded.', 'Try again.', 'Temporarily not there.', 'rate_limit']) {
    expect(isUnavailable(sample({ status: 503, body: { error: { message } } }))).toBe(false);
  }
  for (const status of [200, 429, 501, 502]) {
    expect(isUnavailable(sample({ status, body: error }))).toBe(false);
  }
});

test.each([
  [true, [{ type: 'error', status: 503, error: { message: 'no' } }]],
  [true, [{ type: 'keepalive' }, { type: 'error', status: 503, error: { message: 'no' } }]],
  [
    false,
    [
      { type: 'response.created', response },
      { type: 'error', status: 503, error: { message: 'no' } },
    ],
  ],
  [
    false,
    [
      { type: 'error', status: 503, error: { message: 'no' } },
      { type: 'response.output_text.delta', delta: 'Hello' },
    ],
  ],
])('as a frame: %s', (unavailable, frames) => {
  const exchange = sampleSocket(frames.map((frame) => ['<', frame] as const));
  expect(isUnavailable(exchange)).toBe(unavailable);
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

test('a status of its own decides: 400 is the first', () => {
  expect(refused(sample({ status: 399, body: openAiError })).state).toBe('no');
  expect(refused(sample({ status: 400, body: openAiError })).state).toBe('yes');
});

test('a connection that broke before any answer decides nothing', () => {
  const failure = { kind: 'reset', message: '' } as const;
  expect(refused(sample({ status: null, failure })).state).toBe('undecided');
});

const errorFrame = { type: 'error', error: { code: 'x', message: 'no' } };

test.each([
  [[{ type: 'ping' }], 'yes'],
  [[{ type: 'keepalive' }, { type: 'ping' }], 'yes'],
  [[{ type: 'response.created', response: { id: 'a' } }], 'no'],
  [[{}], 'no'],
  [['"hello"'], 'no'],
  [['null'], 'no'],
] as const)('an error after %j: %s', (before, state) => {
  const frames = [...before, errorFrame].map((frame) => ['<', frame] as const);
  expect(refused(sampleSocket(frames)).state).toBe(state);
});

test('a stream refuses with 200 only; another status says what it is itself', () => {
  const error = `data: ${JSON.stringify(errorFrame)}\n\n`;
  expect(refused(sampleStream(error, { status: 200 })).state).toBe('yes');
  expect(refused(sampleStream(error, { status: 301 })).state).toBe('no');
  expect(refused(sampleStream('')).state).toBe('no');
});

test('a close refuses when it comes first, and from the gateway', () => {
  const close = { code: 1008, reason: '', by: 'gateway' } as const;
  const begun = { type: 'response.created', response: { id: 'a' } };
  expect(refused(sampleSocket([['<', begun]], { close })).state).toBe('no');
  expect(refused(sampleSocket([['<', { type: 'ping' }]], { close })).state).toBe('yes');
  expect(refused(sampleSocket([], { close: { ...close, code: 2999 } })).state).toBe('no');
  expect(refused(sampleSocket([], { close: { ...close, code: 5000 } })).state).toBe('no');
  expect(refused(sampleSocket([])).state).toBe('no');
});

test('a socket that falls silent is undecided', () => {
  const failure = { kind: 'timeout', message: '' } as const;
  expect(refused(sampleSocket([], { failure })).state).toBe('undecided');
  expect(refused(sampleSocket([], { failure: { kind: 'reset', message: '' } })).state).toBe('no');
});

test('isRefused is for what depends on a refusal', () => {
  expect(isRefused(sample({ status: 404 }))).toBe(true);
  expect(isRefused(sample({ status: 501 }))).toBe(false);
  expect(isRefused(sample({ status: 501 }), { capability: true })).toBe(true);
  expect(isRefused(sample({ status: 429 }))).toBe(false);
});

describe('a redirect', () => {
  const url = 'http://gateway/v1/messages';
  const to = (location: string, status = 302) =>
    sample({ status, headers: [['Location', location]], url });
  const signIn = { signIn: true };

  test('refuses where the request has no credential, and it leads elsewhere', () => {
    for (const location of ['/login?next=/v1/messages', 'https://sign.in/', '/', '/v1/mess']) {
      expect(isRefused(to(location), signIn), location).toBe(true);
    }
    expect(isRefused(to('/login', 307), signIn)).toBe(true);
  });

  test('to the same resource refuses nothing', () => {
    const same = ['/v1/messages/', 'https://gateway/v1/messages', '//eu.gateway/V1//Messages?x'];
    for (const location of [...same, '/eu/v1/messages', '/messages', 'http://']) {
      expect(isRefused(to(location), signIn), location).toBe(false);
    }
    expect(isRefused(to('/login', 200), signIn)).toBe(false);
    expect(isRefused(sample({ status: 302, url }), signIn)).toBe(false);
  });

  test('refuses nobody who has a key', () => {
    expect(isRefused(to('/login'))).toBe(false);
    expect(isRefused({ ...to('/login'), about: { ...to('/login').about, key: 'none' } })).toBe(
      true,
    );
  });
});
