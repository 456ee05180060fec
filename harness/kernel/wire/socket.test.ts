import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { json } from './body.ts';
import type { WireOptions } from './request.ts';
import { type OpenSocket, openSocket } from './socket.ts';
import { freePort, listening, serveBytes, wireOptions, wireRequest } from './testing-server.ts';

async function serveSocket(
  talk: (socket: WebSocket) => void,
  refuse?: { status: number; body: string },
  options: ServerOptions = { autoPong: true },
): Promise<{ url: string; upgrades: () => number }> {
  let upgrades = 0;
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, ...options });
  server.on('upgrade', (request, connection, head) => {
    upgrades++;
    if (refuse !== undefined) {
      connection.end(
        `HTTP/1.1 ${refuse.status} No\r\nX-Twice: 1\r\nX-Twice: 2\r\n` +
          `Content-Length: ${Buffer.byteLength(refuse.body)}\r\n\r\n${refuse.body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, connection, head, talk);
  });
  const port = await listening(server);
  return { url: `ws://127.0.0.1:${port}/v1/responses`, upgrades: () => upgrades };
}

test.each([
  ['is answered', true, true],
  ['is not answered', false, false],
])('a ping that %s is on record as such', async (_, autoPong, ponged) => {
  const server = await serveSocket(() => undefined, undefined, { autoPong });
  const session = await open(server.url, { timeoutMs: autoPong ? 5_000 : 100 });
  await session.ping();
  const { socket, failure } = await session.exchange();
  expect({ ponged: socket?.ponged, failure, code: socket?.close?.code }).toEqual({
    ponged,
    failure: null,
    code: 1000,
  });
});

test('of a ping on a connection that ends nothing is known', async () => {
  const server = await serveSocket(
    (socket) => socket.on('ping', () => socket.terminate()),
    undefined,
    { autoPong: false },
  );
  const session = await open(server.url);
  await session.ping();
  expect((await session.exchange()).socket).toEqual({ frames: [], close: null });
});

function open(url: string, fields: Partial<WireOptions> = {}): Promise<OpenSocket> {
  const request = wireRequest(url, {
    method: 'GET',
    headers: [['Authorization', 'Bearer abc']],
    body: null,
  });
  return openSocket(request, wireOptions(fields));
}

test('frames go both ways and are on record, in order, with their times', async () => {
  const server = await serveSocket((socket) => {
    socket.on('message', (data, isBinary) => {
      socket.send(isBinary ? data : `{"echo":${data.toString()}}`, { binary: isBinary });
      if (!isBinary) socket.send('{"type":"end"}');
    });
  });
  const session = await open(server.url);
  expect(session.opened).toBe(true);
  const seen: unknown[] = [];
  session.send({ n: 1 });
  await session.receive(({ json: value }) => {
    seen.push(value);
    return typeof value === 'object' && value !== null && 'type' in value;
  });
  expect(seen).toEqual([{ echo: { n: 1 } }, { type: 'end' }]);
  session.send(Uint8Array.of(1, 2));
  await session.receive(() => true);
  const exchange = await session.exchange();

  expect(exchange.failure).toBeNull();
  expect(exchange.response?.status).toBe(101);
  const frames = exchange.socket?.frames ?? [];
  expect(frames.map(({ from, kind }) => `${from} ${kind}`)).toEqual([
    'us text',
    'gateway text',
    'gateway text',
    'us binary',
    'gateway binary',
  ]);
  expect(frames.map(({ at }) => at)).toEqual(frames.map(({ at }) => at).sort((a, b) => a - b));
  expect(exchange.socket?.close).toEqual({ code: 1000, reason: '', by: 'us' });
  expect(await session.exchange()).toEqual(exchange);
  expect(server.upgrades()).toBe(1);
});

test('frames that came before anyone asked are not lost', async () => {
  const server = await serveSocket((socket) => {
    for (const text of ['a', 'b', 'c']) socket.send(text);
  });
  const session = await open(server.url);
  const seen: string[] = [];
  await session.receive(({ text }) => seen.push(text) === 2);
  await session.receive(({ text, json: value }) => {
    expect(value).toBeUndefined();
    return seen.push(text) > 0;
  });
  expect(seen).toEqual(['a', 'b', 'c']);
  await session.close();
});

test('a refused upgrade has its answer on record', async () => {
  const server = await serveSocket(() => undefined, { status: 401, body: '{"error":{}}' });
  const session = await open(server.url);
  expect(session.opened).toBe(false);
  session.send('into the void');
  await session.receive(() => false);
  const exchange = await session.exchange();
  expect(exchange.response?.status).toBe(401);
  expect(exchange.response?.complete).toBe(true);
  expect(exchange.response?.headers).toContainEqual(['X-Twice', '2']);
  expect(json(exchange)).toEqual({ ok: true, value: { error: {} } });
  expect([exchange.socket, exchange.failure]).toEqual([null, null]);
  expect(server.upgrades()).toBe(1);
});

test('a redirect is a refusal', async () => {
  const server = await serveBytes((socket) => {
    socket.end('HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n');
  });
  const session = await open(server.url.replace('http', 'ws'));
  expect((await session.exchange()).response?.status).toBe(302);
  expect(server.requests()).toBe(1);
});

test('the gateway closes: its code, its reason, its doing', async () => {
  const server = await serveSocket((socket) => {
    socket.send('{"type":"error"}');
    socket.close(1008, 'no channel');
  });
  const session = await open(server.url);
  await session.receive(() => false);
  const exchange = await session.exchange();
  expect(exchange.socket?.close).toEqual({ code: 1008, reason: 'no channel', by: 'gateway' });
  expect(exchange.socket?.frames).toHaveLength(1);
  expect(exchange.failure).toBeNull();
});

test('the connection breaks in the middle', async () => {
  const server = await serveSocket((socket) => {
    socket.send('{"type":"half"}', () => socket.terminate());
  });
  const session = await open(server.url);
  await session.receive(() => false);
  const exchange = await session.exchange();
  expect(exchange.failure?.kind).toBe('reset');
  expect(exchange.socket?.close).toBeNull();
  expect(exchange.socket?.frames).toHaveLength(1);
});

test('we break it off, and the gateway sees a broken connection', async () => {
  let closed: (code: number) => void = () => undefined;
  const seen = new Promise<number>((resolve) => {
    closed = resolve;
  });
  const server = await serveSocket((socket) => {
    socket.on('close', closed);
  });
  const session = await open(server.url);
  session.terminate();
  const exchange = await session.exchange();
  expect(exchange.failure?.kind).toBe('cut');
  expect(exchange.socket?.close).toBeNull();
  expect(await seen).toBe(1006);
});

test('nothing comes: timeout', async () => {
  const server = await serveSocket(() => undefined);
  const session = await open(server.url, { timeoutMs: 60 });
  await session.receive(() => true);
  expect((await session.exchange()).failure?.kind).toBe('timeout');
});

test('the upgrade is never answered: timeout', async () => {
  const server = await serveBytes(() => undefined);
  const session = await open(server.url.replace('http', 'ws'), { timeoutMs: 60 });
  expect(session.opened).toBe(false);
  const exchange = await session.exchange();
  expect(exchange.failure?.kind).toBe('timeout');
  expect(exchange.response).toBeNull();
});

test('nobody listens: unreachable', async () => {
  const session = await open(`ws://127.0.0.1:${await freePort()}/`);
  expect((await session.exchange()).failure?.kind).toBe('unreachable');
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  [
    'a handshake that proves nothing',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n',
  ],
])('the upgrade is answered by %s: not-http', async (_what, answer) => {
  const server = await serveBytes((socket) => socket.end(answer));
  const session = await open(server.url.replace('http', 'ws'));
  const exchange = await session.exchange();
  expect(exchange.failure?.kind, exchange.failure?.message).toBe('not-http');
  expect(exchange.socket).toBeNull();
});

test('text that is no UTF-8 is no frame', async () => {
  const server = await serveSocket((socket) => {
    socket.send(Uint8Array.of(0xc3, 0x28), { binary: false });
  });
  const session = await open(server.url);
  await session.receive(() => false);
  const exchange = await session.exchange();
  expect(exchange.failure?.kind).toBe('not-http');
});

test.each([
  ['one frame', 200_000],
  ['many frames', 9_000],
])('what is received is bounded: %s', async (_what, size) => {
  const server = await serveSocket((socket) => {
    for (let sent = 0; sent < 400_000; sent += size) socket.send(Buffer.alloc(size, 'x'));
  });
  const session = await open(server.url, { maxBodyBytes: 100_000 });
  await session.receive(() => false);
  const exchange = await session.exchange();
  expect(exchange.failure?.kind).toBe('too-large');
  const received = exchange.socket?.frames.reduce((sum, { data }) => sum + data.length, 0);
  expect(received).toBeLessThan(110_000);
});

test.each<[what: string, say: (socket: WebSocket) => void, over: string]>([
  ['empty frames', (socket) => socket.send(''), 'more than 500 frames'],
  ['pings', (socket) => socket.ping(), 'more than 500 frames'],
  ['pongs', (socket) => socket.pong(), 'more than 500 frames'],
  ['members', (socket) => socket.send('{"a":1,"b":2}'), 'more than 1000 lines, members and values'],
  ['a deep frame', (socket) => socket.send('['.repeat(501)), 'nested deeper than 500'],
])('what is received is counted: %s', async (_what, say, over) => {
  const server = await serveSocket((socket) => {
    for (let sent = 0; sent < 1000; sent++) say(socket);
  });
  const session = await open(server.url, { maxFrames: 500, maxThings: 1000 });
  await session.receive(() => false);
  const { failure, socket } = await session.exchange();
  expect(failure).toMatchObject({ kind: 'too-large', message: expect.stringContaining(over) });
  expect(socket?.frames.length).toBeLessThan(502);
});

test('a gateway that does not answer our closing frame is let go', async () => {
  const server = await serveBytes((socket, head) => {
    const nonce = /Sec-WebSocket-Key: (.*)\r\n/i.exec(head)?.[1] ?? '';
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${accept(nonce)}\r\n\r\n`,
    );
  });
  const session = await open(server.url.replace('http', 'ws'));
  expect(session.opened).toBe(true);
  const exchange = await session.exchange();
  expect([exchange.failure, exchange.socket?.close]).toEqual([null, null]);
});

test('keys are masked in live frames and on record', async () => {
  const secrets = { owner: 'sk-canary-0123456789' };
  const server = await serveSocket((socket) => socket.send('{"key":"sk-canary-0123456789"}'));
  const session = await open(server.url, { secrets });
  const seen: string[] = [];
  await session.receive(({ text }) => seen.push(text) > 0);
  const exchange = await session.exchange();
  expect(seen).toEqual(['{"key":"********************"}']);
  expect(Buffer.from(exchange.socket?.frames[0]?.data ?? []).toString()).toBe(seen[0]);
  expect(exchange.echoed).toEqual(['owner']);
});

test('nothing is sent once the run is being interrupted', async () => {
  const server = await serveSocket(() => undefined);
  const session = await open(server.url, { stop: AbortSignal.abort() });
  expect(session.opened).toBe(false);
  expect((await session.exchange()).failure?.kind).toBe('interrupted');
  expect(server.upgrades()).toBe(0);
});

function accept(nonce: string): string {
  return createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}
