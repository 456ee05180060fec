import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import type { Exchange } from '../core/exchange.ts';
import { formatId } from '../core/exchange-id.ts';
import { sampleCheck, sampleRun } from '../core/samples/run.ts';
import { idFrom } from '../core/testing.ts';
import { shownOfBody } from '../report/exchange-view.ts';
import { toLine } from '../wire/recording.ts';
import { exchangeViews, viewOf } from './exchange-views.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

function exchange(type: string, body: Uint8Array, fields: Partial<Exchange> = {}): Exchange {
  return {
    id: idFrom('a#main/0'),
    about: { operation: 'responses.create', protocol: 'responses', region: 'eu', key: 'owner' },
    request: {
      method: 'POST',
      url: 'https://eu.example/v1/responses',
      headers: [],
      body: bytes('{}'),
    },
    response: {
      status: 200,
      headers: [['Content-Type', type]],
      body,
      chunks: [
        { at: 130, end: Math.floor(body.length / 2) },
        { at: 150, end: body.length },
      ],
      complete: true,
    },
    socket: null,
    failure: null,
    times: { started: 100, headers: 120, ended: 160 },
    echoed: [],
    ...fields,
  };
}

test('a body is shown to a bound, and no character is cut in two', () => {
  const long = exchange('text/plain', bytes(`${'x'.repeat(shownOfBody - 1)}€€`));
  expect(viewOf(long).answer?.body).toEqual({
    text: 'x'.repeat(shownOfBody - 1),
    bytes: shownOfBody + 5,
    shown: shownOfBody - 1,
    binary: false,
  });
});

test('bytes that are no text are shown in digits', () => {
  const body = viewOf(exchange('text/plain', new Uint8Array([0xff, 0x00, 0x41]))).answer?.body;
  expect(body).toEqual({ text: 'ff 00 41', bytes: 3, shown: 3, binary: true });
});

test('a body that was decoded says from what', () => {
  const response = {
    status: 200,
    headers: [['Content-Encoding', 'GZip, br']],
    body: bytes('{}'),
    chunks: [],
    complete: true,
  } as const;
  expect(viewOf(exchange('', bytes(''), { response })).answer?.decodedFrom).toBe('gzip, br');
  expect(viewOf(exchange('', bytes('{}'))).answer?.decodedFrom).toBeNull();
});

test('times are those since the start of the exchange', () => {
  const view = viewOf(exchange('application/json', bytes('{}')));
  expect(view.answer?.headersAfter).toBe(20);
  expect(view.took).toBe(60);
  expect(view.stream).toBeNull();
});

test('a stream has its events and comments in their order, and what is not closed', () => {
  const stream = ': hello\n\nevent: a\ndata: 1\n\n: there\n\ndata: 2\n\n: bye\n\nevent: b\ndata: 3';
  const frames = viewOf(exchange('text/event-stream; charset=utf-8', bytes(stream))).stream?.frames;
  expect(frames?.map(({ name, data }) => [name, data.text.trim()])).toEqual([
    ['comment', 'hello'],
    ['a', '1'],
    ['comment', 'there'],
    [null, '2'],
    ['comment', 'bye'],
    ['b (not closed)', '3'],
  ]);
  // The first piece ends inside of the second comment.
  expect(frames?.map(({ at }) => at)).toEqual([30, 30, 50, 50, 50, 50]);
});

test('a WebSocket has the frames of both sides, what came of a ping, and how it was closed', () => {
  const socket: Exchange['socket'] = {
    frames: [
      { from: 'us', at: 110, kind: 'text', data: bytes('{"type":"response.create"}') },
      { from: 'gateway', at: 125, kind: 'text', data: bytes('[]') },
      { from: 'gateway', at: 126, kind: 'binary', data: new Uint8Array([255]) },
    ],
    close: { code: 1008, reason: 'no', by: 'gateway' },
    ponged: false,
  };
  const { stream } = viewOf(exchange('', bytes(''), { socket }));
  expect(stream?.close).toBe('1008 (no) by gateway');
  expect(stream?.ping).toBe('not answered');
  expect(stream?.frames.map(({ from, name, at }) => [from, name, at])).toEqual([
    ['us', 'response.create', 10],
    ['gateway', null, 25],
    ['gateway', 'binary', 26],
  ]);
});

test('of a recording, what findings rest on is taken, whatever else stands in it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'exchanges.jsonl');
  const found = exchange('application/json', bytes('{}'), { id: idFrom('wanted#main/0') });
  const before = exchange('', bytes(''), {
    id: idFrom('wanted#poll/0'),
    response: null,
    times: { started: 90, headers: null, ended: 95 },
  });
  const lines = [
    '{"format":"a header"}',
    toLine(exchange('', bytes(''))),
    toLine(found),
    toLine(before),
  ];
  writeFileSync(file, `${lines.join('\n')}\n{"labels":{},"exch`);
  const evidence = {
    exchange: formatId(found.id),
    request: 'POST /v1/responses',
    outcome: '200',
    received: '{}',
    curl: 'curl',
  };
  const failed = sampleCheck('generation/responses.shape', {
    state: 'fail',
    expected: 'x',
    actual: 'y',
    evidence,
  });
  const views = await exchangeViews(file, sampleRun([failed]));
  expect([...views.keys()]).toEqual([failed.id]);
  expect(views.get(failed.id)?.key).toBe(formatId(found.id));
  expect(views.get(failed.id)?.scenario).toEqual([
    {
      key: formatId(before.id),
      request: 'POST /v1/responses',
      outcome: 'no response',
      at: 90,
      took: 5,
    },
    { key: formatId(found.id), request: 'POST /v1/responses', outcome: '200', at: 100, took: 60 },
  ]);
});
