import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { formatId } from '../../kernel/core/exchange-id.ts';
import { temporaryFolder } from '../../testing.ts';
import { harEntry } from './har.ts';
import { BadHar, harEntries } from './har-entries.ts';
import { lookThrough, observeHar, targetOf } from './observe-har.ts';

const folder = temporaryFolder();

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const began = Date.parse('2026-11-23T10:00:00.000Z');

/** Entry as Chromium writes it, with the given changes. */
function entry(response: object, more: object = {}, request: object = {}): object {
  return {
    startedDateTime: '2026-11-23T10:00:01.000Z',
    time: 500,
    request: {
      method: 'POST',
      url: 'https://gw.example/api/v1/responses',
      httpVersion: 'http/2.0',
      headers: [
        { name: ':authority', value: 'gw.example' },
        { name: 'authorization', value: 'Bearer sk-of-a-client-1234567' },
        { name: 'content-type', value: 'application/json' },
      ],
      queryString: [],
      postData: { mimeType: 'application/json', text: '{"model":"m","input":"Hi."}' },
      ...request,
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 2, mimeType: 'application/json', text: '{}' },
      ...response,
    },
    timings: { blocked: 10, dns: -1, connect: -1, send: 5, wait: 85, receive: 400 },
    ...more,
  };
}

const har = (...entries: readonly object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test' }, entries } }, null, 1);

function seen(value: object) {
  const read = harEntry(JSON.stringify(value), 3, began);
  if (read.kind !== 'seen') throw new Error(read.kind);
  return read.seen;
}

const stream = 'event: response.created\ndata: {"type":"response.created"}\n\n';
const events = [{ name: 'Content-Type', value: 'text/event-stream' }];

/** Returns the exchanges of a HAR file that are judged. */
async function judged(text: string): Promise<readonly Exchange[]> {
  const contents = await lookThrough(file('judged.har', text));
  const exchanges: Exchange[] = [];
  await observeHar(contents, targetOf(contents), {
    add: (exchange) => exchanges.push(exchange),
    trim: () => Promise.resolve(),
  });
  return exchanges;
}

test('reads an exchange, with its times', () => {
  const { id, request, response, times, failure } = seen(entry({}));
  expect(formatId(id)).toBe('observed/har#main/3');
  expect(request.headers.map(([name]) => name)).toEqual(['authorization', 'content-type']);
  expect(Buffer.from(request.body ?? []).toString()).toBe('{"model":"m","input":"Hi."}');
  expect(Buffer.from(response?.body ?? []).toString()).toBe('{}');
  expect(times).toEqual({ started: 1000, headers: 1100, ended: 1500 });
  expect(failure).toBeNull();
});

test.for([
  ['base64, as of mitmproxy', { size: 3, text: 'w6kh', encoding: 'base64' }, 'é!', null],
  [
    'no body, as a browser has none of a stream',
    { size: 0, mimeType: 'text/event-stream' },
    '',
    'cut',
  ],
  ['an empty text in its place', { size: 0, text: '' }, '', 'cut'],
  ['a body that Firefox has cut', { size: 2_000_000, text: '{"a":' }, '{"a":', 'cut'],
] as const)('%s', ([, content, body, failure]) => {
  const read = seen(entry({ content }));
  expect(Buffer.from(read.response?.body ?? []).toString()).toBe(body);
  expect(read.failure?.kind ?? null).toBe(failure);
});

test('an answer that has to be empty is whole', () => {
  const content = { size: 0, mimeType: 'x-unknown' };
  expect(seen(entry({ status: 204, content })).failure).toBeNull();
  const headers = [{ name: 'Content-Length', value: '0' }];
  expect(seen(entry({ headers, content })).failure).toBeNull();
});

test('a request without an answer blames nobody', () => {
  const { response, failure } = seen(entry({ status: 0, headers: [], content: { size: 0 } }));
  expect([response, failure?.kind]).toEqual([null, 'cut']);
});

test('the messages of a WebSocket', () => {
  const _webSocketMessages = [
    { type: 'send', time: began / 1000 + 2, opcode: 1, data: '{"type":"response.create"}' },
    { type: 'receive', time: began / 1000 + 2.5, opcode: 2, data: 'AAE=' },
  ];
  const { socket, request, response } = seen(
    entry({ status: 101 }, { _webSocketMessages }, { method: 'GET' }),
  );
  expect(request.url).toBe('wss://gw.example/api/v1/responses');
  expect(response?.status).toBe(101);
  expect(socket?.frames.map(({ from, at, kind, data }) => [from, at, kind, data.length])).toEqual([
    ['us', 2000, 'text', 26],
    ['gateway', 2500, 'binary', 2],
  ]);
});

test('the gateway is found by what was asked of it', async () => {
  const elsewhere = entry({}, {}, { method: 'GET', url: 'https://cdn.example/app.js' });
  const doubled = entry({}, {}, { url: 'https://gw.example/api/v1/v1/responses' });
  const contents = await lookThrough(file('found.har', har(entry({}), elsewhere, doubled)));
  expect(contents).toMatchObject({ entries: 3, bases: ['https://gw.example/api'], problems: [] });
  const counts = await observeHar(contents, targetOf(contents), {
    add: () => undefined,
    trim: () => Promise.resolve(),
  });
  // Requests that were meant for the interface and missed it are judged as mistakes of the client.
  expect(counts).toEqual({ judged: 2, others: 0, elsewhere: 1 });
});

test('what it is about, without the key', async () => {
  const [exchange] = await judged(
    har(entry({}, {}, { postData: { text: '{"stream":true,"input":"sk-of-a-client-1234567"}' } })),
  );
  expect(exchange?.about).toEqual({
    operation: 'responses.stream',
    protocol: 'responses',
    region: 'gw.example/api',
    key: 'owner',
  });
  expect(JSON.stringify(exchange)).not.toContain('sk-of-a-client');
});

test('a key that was taken out before is none that an answer could repeat', async () => {
  const headers = [{ name: 'Authorization', value: 'Bearer ********' }];
  const [exchange] = await judged(
    har(entry({ content: { size: 8, text: '********' } }, {}, { headers })),
  );
  expect(exchange?.about.key).toBe('none');
  expect(exchange?.echoed).toEqual([]);
});

test('a stream without its end may have been left, for all that a HAR tells', async () => {
  const content = { size: stream.length, text: stream };
  const [exchange] = await judged(har(entry({ headers: events, content })));
  expect(exchange?.failure?.kind).toBe('cut');
});

async function read(path: string): Promise<{ indexes: number[]; problem: string }> {
  const indexes: number[] = [];
  try {
    for await (const { index, text } of harEntries(path)) {
      JSON.parse(text ?? '');
      indexes.push(index);
    }
  } catch (error) {
    if (!(error instanceof BadHar)) throw error;
    return { indexes, problem: error.message };
  }
  return { indexes, problem: '' };
}

test('finds entries wherever brackets and quotes stand, at any cut', async () => {
  const odd = entry({ content: { size: 9, text: '"]}\\"{[,\\\\' } }, { comment: 'log entries' });
  const whole = har(odd, entry({}), odd).replace(
    '"creator"',
    '"pages":[{"entries":[1]}],"creator"',
  );
  expect(await read(file('whole.har', whole))).toEqual({ indexes: [0, 1, 2], problem: '' });
  for (let length = 1; length < whole.length - 5; length += 41) {
    const { problem, indexes } = await read(file('cut.har', whole.slice(0, length)));
    expect(problem).toContain(`ends at byte ${length}`);
    expect(indexes.length).toBeLessThanOrEqual(3);
  }
});

test.for([
  ['', 'is empty'],
  ['  \n', 'is empty'],
  ['<!doctype html>', 'at byte 0): it begins with "<!doctype html>"'],
  ['{"a":[]}', 'it has no `log.entries`'],
  ['[1,2]', 'it has no `log.entries`'],
  ['{"log":{"entries":[]}} {}', 'at byte 23): something follows'],
] as const)('%j is no HAR', async ([text, problem]) => {
  expect((await read(file('none.har', text))).problem).toContain(problem);
});

test('a byte order mark is none of it', async () => {
  expect((await read(file('bom.har', `\u{feff}${har(entry({}))}`))).problem).toBe('');
});

test('an entry that is none is left out, and named', async () => {
  const { problems } = await lookThrough(file('odd.har', har({ request: {} }, entry({}))));
  expect(problems).toEqual([expect.stringContaining('log.entries[0] (byte')]);
});
