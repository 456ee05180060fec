import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort, serveBytes, serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

/**
 * A request is sent once, whatever becomes of it: a failed connection is no proof that it was not
 * executed. The servers count.
 */
test.each([
  ['a reset before the answer', ''],
  ['a reset in the middle of the head', 'HTTP/1.1 200 O'],
  ['a reset in the middle of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'],
  [
    'a reset in the middle of a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
  ],
])('%s', async (_what, beginning) => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const server = await serveBytes((socket) => {
      if (beginning === '') socket.resetAndDestroy();
      else socket.write(beginning, () => setTimeout(() => socket.resetAndDestroy(), 10));
    });
    const body = method === 'POST' ? Buffer.from('{}') : null;
    const exchange = await send(wireRequest(server.url, { method, body }), wireOptions());
    expect(exchange.failure?.kind).toBe('reset');
    expect([method, server.requests(), server.connections()]).toEqual([method, 1, 1]);
  }
});

test.each([429, 500, 502, 503, 529, 301, 302, 303, 307, 308])('%i', async (status) => {
  const server = await serveHttp((_request, response) => {
    const asking = { 'Retry-After': '0', 'X-Should-Retry': 'true', Location: '/again' };
    response.writeHead(status, asking).end();
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.response?.status).toBe(status);
  expect(server.requests()).toBe(1);
});

test('a stall and a cut', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200).write('data: 1\n\n');
  });
  const stalled = await send(wireRequest(server.url), wireOptions({ timeoutMs: 1_000 }));
  expect(stalled.failure?.kind).toBe('timeout');
  expect(server.requests()).toBe(1);
  const cut = await send(wireRequest(server.url, { cut: { events: 1 } }), wireOptions());
  expect(cut.failure?.kind).toBe('cut');
  expect(server.requests()).toBe(2);
});

test('a refused connection is tried once', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const refused = await send(wireRequest(url), wireOptions());
  expect(refused.failure?.kind).toBe('unreachable');
  // A server listens there a moment later: nothing of the refused request may arrive.
  let arrived = 0;
  const server = createServer(() => arrived++);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => server.close(resolve));
  expect(arrived).toBe(0);
});

test('a gateway that closes idle connections at once is never blamed for it', async () => {
  const server = await serveHttp((_request, response) => {
    response.shouldKeepAlive = true;
    response.end('{}', () => response.socket?.destroySoon());
  });
  for (let turn = 0; turn < 20; turn++) {
    const exchange = await send(wireRequest(server.url), wireOptions());
    expect(exchange.failure).toBeNull();
  }
  expect(server.requests()).toBe(20);
});
