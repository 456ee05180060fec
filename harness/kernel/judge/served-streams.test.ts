import { expect, test } from 'vitest';
import type { StreamingProtocol } from '../core/protocol.ts';
import { response } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { asksForStream, served } from './served.ts';

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
  expect(served(sampleStream('data: [DONE]\n\n'), { nothingLeft: true }).state).toBe('yes');
  expect(served(sampleStream(sse(created)), { nothingLeft: true }).state).toBe('no');
  expect(served(sampleStream(sse(created)), { stopped: true }).state).toBe('yes');
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

test.each(['timeout', 'unreachable'] as const)(
  'a socket that falls silent, or whose gateway ends, is undecided: %s',
  (kind) => {
    const failure = { kind, message: '60000 ms' };
    const create = { type: 'response.create', model: 'm', input: 'hi' };
    for (const frames of [[], [['<', created]] as const]) {
      const silent = sampleSocket([['>', create], ...frames], { failure });
      expect(served(silent)).toHaveProperty('state', 'undecided');
    }
  },
);

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
] as const)('the native end of %s: %j: %s', (protocol, event, state) => {
  const begun: Readonly<Record<StreamingProtocol, object>> = {
    responses: created,
    'chat-completions': { choices: [] },
    messages: { type: 'message_start', message: {} },
    generative: { candidates: [] },
  };
  const stream = `${sse(begun[protocol])}data: no JSON\n\n${sse(event)}`;
  expect(served(sampleStream(stream, { protocol })).state).toBe(state);
});

test('where [DONE] ends a stream, a lost finish reason is no lost answer', () => {
  const chunk = { choices: [{ finish_reason: null }] };
  const done = `${sse(chunk)}data: [DONE]\n\n`;
  expect(served(sampleStream(done, { protocol: 'chat-completions' })).state).toBe('yes');
  const messages = `${sse({ type: 'message_start', message: {} })}data: [DONE]\n\n`;
  expect(served(sampleStream(messages, { protocol: 'messages' })).state).toBe('no');
});
