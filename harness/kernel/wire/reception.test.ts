import { expect, test } from 'vitest';
import { deepestJson } from '../core/json-size.ts';
import { Reception } from './reception.ts';
import { serveBytes, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

const bounds = { maxBytes: 1_000_000, cut: null, onFirstEvent: null };

function reception(type: string, more: { maxThings?: number } = {}): Reception {
  const made = new Reception({ ...bounds, ...more });
  made.head(200, [['content-type', type]], 0);
  return made;
}

test('pieces of one byte take no more than their bytes, and their times are told', () => {
  const body = reception('application/json');
  const piece = Buffer.from(' ');
  for (let count = 0; count < 40_000; count++) body.piece(piece, 5 + count / 1000);
  expect(body.over).toBeNull();
  const response = body.response();
  expect(response?.body).toHaveLength(40_000);
  expect(response?.chunks).toHaveLength(40);
  expect(response?.chunks[9]).toEqual({ at: expect.closeTo(14, 0), end: expect.any(Number) });
  expect(response?.chunks.at(-1)?.end).toBe(40_000);
});

test('so many pieces that nobody sends them are over the bound', () => {
  const body = reception('application/json');
  let pieces = 1;
  while (body.piece(Buffer.from(' '), 0) === null) pieces++;
  expect(pieces).toBeLessThan(1_000_000);
  expect(body.over).toBe(`its body came in ${pieces} pieces`);
});

test.for([
  ['comments', 'text/event-stream', ':\n'],
  ['empty events', 'text/event-stream', 'data:\n\n'],
  ['blank lines', 'text/event-stream', '\n'],
  ['members', 'application/json', '"a":1,'],
])('%s are counted', ([, type = '', one = '']) => {
  const body = reception(type, { maxThings: 1000 });
  expect(body.piece(Buffer.from(one.repeat(200)), 0)).toBeNull();
  expect(body.piece(Buffer.from(one.repeat(1000)), 0)).toBe('too-large');
  expect(body.over).toBe('it is made of more than 1000 lines, members and values');
  const came = body.response()?.body.toString() ?? '';
  expect(came.startsWith(one.repeat(200))).toBe(true);
  expect(came.length).toBeLessThan(1100 * one.length);
});

test('of a stream that nests too deep what came before that line is kept', () => {
  const deep = '['.repeat(deepestJson + 1);
  for (const pieces of [[`data: 1\n\ndata: ${deep}`], ['data: 1\n', '\nda', `ta: ${deep}`]]) {
    const body = reception('text/event-stream');
    const ends = pieces.map((piece) => body.piece(Buffer.from(piece), 0));
    expect(ends.at(-1)).toBe('too-large');
    expect(body.over).toBe(`its JSON is nested deeper than ${deepestJson}`);
    expect(body.response()?.body.toString()).toMatch(/^data: 1\n\n(da)?$/);
  }
});

test('brackets in texts, and each as deep as may be, are no depth', () => {
  const body = reception('application/json');
  const deep = `${'['.repeat(deepestJson)}"\\"[[["${']'.repeat(deepestJson)}`;
  expect(body.piece(Buffer.from(deep), 0)).toBeNull();
});

test.for([
  ['header lines', `HTTP/1.1 200 OK\r\n${'x:\r\n'.repeat(5000)}\r\n`, /5000 header lines/],
  ['early hints', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500), /100 informational answers/],
] as const)('%s are counted', async ([, bytes, message]) => {
  const server = await serveBytes((socket) => socket.write(bytes));
  const { failure, response } = await send(wireRequest(server.url), wireOptions());
  expect(failure).toMatchObject({ kind: 'too-large', message: expect.stringMatching(message) });
  expect(response?.headers.length ?? 0).toBeLessThan(300);
});
