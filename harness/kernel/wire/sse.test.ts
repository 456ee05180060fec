import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { EventReader } from './event-reader.ts';
import { type ServerSentEvents, serverSentEvents } from './sse.ts';

function answered(...pieces: readonly Uint8Array[]): Exchange {
  let end = 0;
  return {
    id: idFrom('test#main/0'),
    about: { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' },
    request: { method: 'GET', url: 'http://127.0.0.1/', headers: [], body: null },
    response: {
      status: 200,
      headers: [],
      body: Buffer.concat(pieces),
      chunks: pieces.map((piece, index) => {
        end += piece.length;
        return { at: index + 1, end };
      }),
      complete: true,
    },
    socket: null,
    failure: null,
    times: { started: 0, headers: 0, ended: pieces.length + 1 },
    echoed: [],
  };
}

function read(...pieces: readonly string[]): ServerSentEvents {
  return serverSentEvents(answered(...pieces.map((piece) => Buffer.from(piece))));
}

const dataOf = ({ events }: ServerSentEvents): string[] => events.map(({ data }) => data);

test('events have their name and the time of their last byte', () => {
  const { events, unclosed } = read('event: a\nid: 7\nda', 'ta: 1\n\n', 'data: 2\n\n');
  expect(events).toEqual([
    { event: 'a', data: '1', hasEvent: true, hasId: true, at: 2 },
    { event: undefined, data: '2', hasEvent: false, hasId: false, at: 3 },
  ]);
  expect(unclosed).toBeNull();
});

test.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('lines may end in %s', (_name, end) => {
  const stream = read(['event: a', 'data: 1', 'data:2', '', ': note', 'data', '', ''].join(end));
  expect(dataOf(stream)).toEqual(['1\n2', '']);
  expect(stream.comments).toEqual([{ text: 'note', after: 1, at: 1 }]);
  expect(stream.unclosed).toBeNull();
});

test('a byte order mark before the stream means nothing, cut or not', () => {
  const bytes = Buffer.from('\u{FEFF}data: 1\n\n');
  expect(dataOf(serverSentEvents(answered(bytes)))).toEqual(['1']);
  expect(dataOf(serverSentEvents(answered(bytes.subarray(0, 1), bytes.subarray(1))))).toEqual([
    '1',
  ]);
});

test('on any later line it belongs to the line', () => {
  const bytes = Buffer.from('data: 1\n\n\u{FEFF}data: 2\n\n');
  expect(dataOf(serverSentEvents(answered(bytes)))).toEqual(['1']);
});

test('a reconnection time that is none is a field all the same', () => {
  expect(dataOf(read('retry: soon\ndata: 1\n\n'))).toEqual(['1']);
});

test('no answer is no stream', () => {
  const none = { events: [], comments: [], unclosed: null };
  expect(serverSentEvents({ ...answered(), response: null })).toEqual(none);
});

/** Returns how many bytes of a piece are read until `count` events are complete, and the data of these events. */
function readUntil(count: number, piece: string): [number, string[]] {
  const reader = new EventReader();
  let seen = 0;
  const length = reader.read(Buffer.from(piece), 0, () => ++seen === count);
  return [length, reader.events.map(({ data }) => data)];
}

test('reading stops with the line end of the event that was waited for', () => {
  expect(readUntil(1, 'data: 1\n\ndata: 2\n\n')).toEqual([9, ['1']]);
  expect(readUntil(1, 'data: 1\r\n\r\ndata: 2\r\n\r\n')).toEqual([11, ['1']]);
  expect(readUntil(1, 'data: 1\r\rdata: 2\r\r')).toEqual([9, ['1']]);
  expect(readUntil(2, 'data: 1\n\ndata: 2\n\ndata: 3\n\n')).toEqual([18, ['1', '2']]);
  expect(readUntil(1, '\ndata: 1\n\n')).toEqual([10, ['1']]);
});

test('but what a wrong encoding makes of one does', () => {
  expect(dataOf(read('\u00ef\u00bb\u00bfdata: 1\n\n'))).toEqual([]);
});

test('an event that no blank line closes is marked', () => {
  const stream = read('data: 1\n\nevent: b\ndata: {"half":');
  expect(dataOf(stream)).toEqual(['1']);
  expect(stream.unclosed).toMatchObject({ event: 'b', data: '{"half":', at: 1 });
});

test('a comment at the end leaves no event open', () => {
  const stream = read('data: 1\n\n: bye\n');
  expect(stream.unclosed).toBeNull();
});

test('an empty name or id still stood there', () => {
  const [event] = read('event:\nid\ndata: 1\n\n').events;
  expect(event).toMatchObject({ event: undefined, hasEvent: true, hasId: true });
});

test('lines that are no field make no event', () => {
  expect(read('{"error":"busy"}\n\n<html>\n')).toMatchObject({ events: [], unclosed: null });
});

test('the result is kept', () => {
  const exchange = answered(Buffer.from('data: 1\n\n'));
  expect(serverSentEvents(exchange)).toBe(serverSentEvents(exchange));
});

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    ':',
    ': note',
    'data',
    'data:',
    'event: a',
    'event:',
    'id: 1',
    'retry: 5',
  ),
  fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, '')),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
  .map((lines) => Buffer.from(lines.map(([text, end]) => text + end).join('')));

function withoutTimes({ events, comments, ...rest }: ServerSentEvents): unknown {
  return {
    ...rest,
    unclosed: rest.unclosed === null ? null : { ...rest.unclosed, at: 0 },
    events: events.map((event) => ({ ...event, at: 0 })),
    comments: comments.map((comment) => ({ ...comment, at: 0 })),
  };
}

test('where a stream is cut into pieces changes nothing', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 200 }), { maxLength: 6 }), (bytes, cuts) => {
      const whole = withoutTimes(serverSentEvents(answered(bytes)));
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
      at.sort((a, b) => a - b);
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      for (const cut of [pieces, single]) {
        expect(withoutTimes(serverSentEvents(answered(...cut)))).toEqual(whole);
      }
    }),
    { numRuns: 300 },
  );
});

test('how lines end changes nothing', () => {
  const lines = fc.array(line, { maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.constantFrom('\r\n', '\r'), (texts, end) => {
      const written = (by: string): unknown =>
        withoutTimes(read(texts.map((text) => text + by).join('')));
      expect(written(end)).toEqual(written('\n'));
    }),
    { numRuns: 200 },
  );
});

test('a broken-off stream has the events that were whole', () => {
  fc.assert(
    fc.property(stream, fc.nat({ max: 200 }), (bytes, at) => {
      const whole = dataOf(serverSentEvents(answered(bytes)));
      const part = dataOf(serverSentEvents(answered(bytes.subarray(0, at))));
      expect(whole.slice(0, part.length)).toEqual(part);
    }),
    { numRuns: 200 },
  );
});
