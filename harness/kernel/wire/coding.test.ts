import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { json, text } from './body.ts';
import { openSocket } from './socket.ts';
import { serverSentEvents } from './sse.ts';
import { firstEvent, serveBytes, serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

const asking = { headers: [['Accept-Encoding', 'gzip, deflate;q=0.5, br']] } as const;

test.each([
  ['gzip', gzipSync('{"a":1}')],
  ['deflate', deflateSync('{"a":1}')],
  ['br', brotliCompressSync('{"a":1}')],
  ['identity', Buffer.from('{"a":1}')],
  ['X-GZip', gzipSync('{"a":1}')],
  ['gzip, br', brotliCompressSync(gzipSync('{"a":1}'))],
  // An unknown coding, but the body is plain text.
  ['utf-8', Buffer.from('{"a":1}')],
])('%s is decoded, whether or not it was asked for', async (coding, body) => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(body);
  });
  for (const how of [asking, {}]) {
    const exchange = await send(wireRequest(server.url, how), wireOptions());
    expect(exchange.failure).toBeNull();
    expect(json(exchange)).toEqual({ ok: true, value: { a: 1 } });
    expect(exchange.response?.complete).toBe(true);
    expect(exchange.response?.chunks.at(-1)?.end).toBe(7);
  }
});

test.each(['zstd', 'gzip, secret', 'gzip, gzip, gzip, gzip', 'constructor'])(
  'a body in the coding %s is not kept, because nothing can be masked in it',
  async (coding) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': coding }).end(gzipSync('{"a":1}'));
    });
    const exchange = await send(wireRequest(server.url), wireOptions());
    expect(exchange.response).toMatchObject({ status: 200, body: { length: 0 }, chunks: [] });
    expect(exchange.failure?.kind).toBe('undecodable');
    expect(exchange.failure?.message).toContain(
      `in the content coding \`${coding}\`, which nobody asked for; its 27 bytes are not kept`,
    );
  },
);

test('an answer without a body has nothing to decode', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(204, { 'Content-Encoding': 'gzip' }).end();
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange).toMatchObject({ failure: null, response: { complete: true } });
});

test('a key in a coded body is masked', async () => {
  const key = 'canary-owner-5b1f0c';
  const server = await serveHttp((_request, response) => {
    response.writeHead(401, { 'Content-Encoding': 'gzip' }).end(gzipSync(`{"no":"${key}"}`));
  });
  const exchange = await send(wireRequest(server.url), wireOptions({ secrets: { owner: key } }));
  expect(json(exchange)).toEqual({ ok: true, value: { no: '*'.repeat(key.length) } });
  expect(exchange.echoed).toEqual(['owner']);
});

test('an upgrade that is refused in a coded body is decoded, too', async () => {
  const server = await serveBytes((socket) => {
    const body = gzipSync('{"a":1}');
    socket.write(
      `HTTP/1.1 400 Bad Request\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.end(body);
  });
  const request = wireRequest(server.url.replace('http', 'ws'), { method: 'GET', body: null });
  const socket = await openSocket(request, wireOptions());
  expect(socket.opened).toBe(false);
  const exchange = await socket.exchange();
  expect(exchange.failure).toBeNull();
  expect(json(exchange)).toEqual({ ok: true, value: { a: 1 } });
});

test('the pieces of a coded stream keep their times', async () => {
  const { timeForNext, onFirstEvent } = firstEvent();
  const server = await serveHttp(async (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/event-stream' });
    const coder = createGzip();
    coder.pipe(response);
    coder.write('data: 1\n\n');
    coder.flush();
    await timeForNext;
    await delay(60);
    coder.end('data: 2\n\n');
  });
  const request = wireRequest(server.url, { ...asking, onFirstEvent });
  const exchange = await send(request, wireOptions());
  const [first, second] = serverSentEvents(exchange).events;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(40);
});

test('a bomb is read up to the bound', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
  });
  const before = process.memoryUsage.rss();
  const options = wireOptions({ maxBodyBytes: 500_000 });
  const exchange = await send(wireRequest(server.url, asking), options);
  expect(exchange.failure?.kind).toBe('too-large');
  expect(exchange.failure?.message).toContain('larger than 500000 bytes');
  expect(exchange.response?.body.length).toBe(65_536);
  expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000);
});

test('nor does a coded body without end fill the memory', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    const coder = createGzip({ level: 0 });
    coder.pipe(response);
    const more = (): void => {
      while (!response.destroyed && coder.write(randomBytes(64 * 1024)));
    };
    coder.on('drain', more);
    more();
  });
  const options = wireOptions({ maxBodyBytes: 500_000 });
  const exchange = await send(wireRequest(server.url, asking), options);
  expect(exchange.failure?.kind).toBe('too-large');
  expect(exchange.response?.body.length).toBeLessThanOrEqual(500_000);
});

test.each([
  ['is broken', (coded: Buffer) => coded.fill(0xff, coded.length - 8)],
  ['is cut short', (coded: Buffer) => coded.subarray(0, 30)],
])('a coded body that %s does not decode', async (_how, spoilt) => {
  const server = await serveHttp((_request, response) => {
    const coded = gzipSync(`{"a":"${'x'.repeat(50_000)}"}`);
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(spoilt(coded));
  });
  const exchange = await send(wireRequest(server.url, asking), wireOptions());
  expect(exchange.failure?.kind).toBe('undecodable');
  expect(exchange.failure?.message).toContain('does not decode by its content coding');
  expect(exchange.response?.complete).toBe(true);
});

test('a coded body whose connection breaks is a reset', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    const coder = createGzip();
    coder.on('data', (piece: Buffer) => response.write(piece));
    coder.write('data: 1\n\n');
    coder.flush(() => setTimeout(() => response.destroy(), 20));
  });
  const exchange = await send(wireRequest(server.url, asking), wireOptions());
  expect(exchange.failure?.kind).toBe('reset');
  expect(text(exchange)).toEqual({ ok: true, value: 'data: 1\n\n' });
});

test('a coded stream is cut after so many events', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'br' });
    response.end(brotliCompressSync('data: 1\n\ndata: 2\n\ndata: 3\n\n'));
  });
  const request = wireRequest(server.url, { ...asking, cut: { events: 2 } });
  const exchange = await send(request, wireOptions());
  expect(exchange.failure?.kind).toBe('cut');
  expect(text(exchange)).toEqual({ ok: true, value: 'data: 1\n\ndata: 2\n\n' });
});
