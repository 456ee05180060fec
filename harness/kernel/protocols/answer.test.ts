import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { answerOf } from './answer.ts';
import { sample, sampleSocket, sampleStream } from './samples/exchange.ts';

const event = { name: undefined, hasId: false, data: '{"a":1}', json: { a: 1 }, binary: false };

test('frames of a socket are events without a name', () => {
  const frames = [
    ['>', { type: 'response.create' }],
    ['<', { a: 1 }],
    ['<', new Uint8Array([123, 125])],
  ] as const;
  const events = [event, { ...event, data: '{}', json: {}, binary: true }];
  expect(answerOf(sampleSocket(frames))).toMatchObject({
    form: 'events',
    stream: { transport: 'socket', events, closed: true, cut: false },
  });
});

test('no status line is no answer', () => {
  expect(answerOf(sample({ status: null }))).toMatchObject({ form: 'none' });
});

test.each([
  'data: {"a":1}\n\n',
  '\u{FEFF}data: {"a":1}\n\n',
  ': hello\n\ndata: {"a":1}\n\n',
  'retry: 5\ndata: {"a":1}\n\n',
])('what looks like an event stream is one, whatever its type: %j', (body) => {
  const stream = { transport: 'sse', events: [event], closed: true, cut: false };
  expect(answerOf(sample({ body }))).toMatchObject({ form: 'events', stream });
});

test.each(['hello\ndata: {}\n\n', 'data {}\n\n', 'my data: {}'])(
  'and this does not: %j',
  (body) => {
    expect(answerOf(sample({ body }))).toMatchObject({ form: 'text', text: body });
  },
);

test.each([
  [['text/event-stream; charset=utf-8'], 'events'],
  [['TEXT/EVENT-STREAM'], 'events'],
  [['text/plain', 'text/event-stream'], 'events'],
  [['x-text/event-stream'], 'text'],
  [['text/event-streams'], 'text'],
  [[], 'text'],
] as const)('a body of type %j is %s', (types, form) => {
  const headers = types.map((type) => ['Content-Type', type] as const);
  expect(answerOf(sample({ body: 'hello', headers })).form).toBe(form);
});

test('an event may have an empty name, and an id', () => {
  const answer = answerOf(sampleStream('event:\nid: 7\ndata: {"a":1}\n\n'));
  const events = [{ ...event, name: '', hasId: true }];
  expect(answer).toHaveProperty('stream', { transport: 'sse', events, closed: true, cut: false });
});

test('white space is an empty body', () => {
  for (const body of ['', ' \r\n\t'])
    expect(answerOf(sample({ body }))).toMatchObject({ form: 'empty' });
});

test('bytes that are no text are described', () => {
  const { response, ...rest } = sample({ body: '' });
  const body = new Uint8Array([0xff, 0xfe, 0x41]);
  const exchange = { ...rest, response: { ...response, body } } as Exchange;
  const answer = answerOf(exchange);
  expect(answer.form).toBe('text');
  expect(answer).toHaveProperty('text', expect.stringContaining('UTF-8'));
});

test('what we cut ourselves is cut, what the gateway interrupted is not, and half an event is none', () => {
  for (const kind of ['cut', 'timeout', 'interrupted', 'reset'] as const) {
    const failure = { kind, message: '' };
    const answer = answerOf(sampleStream('data: {}\n\ndata: {"a', { failure }));
    expect(answer).toHaveProperty('stream.cut', kind !== 'reset');
    expect(answer).toHaveProperty('stream.closed', false);
    expect(answer).toHaveProperty('stream.events.length', 1);
  }
});
