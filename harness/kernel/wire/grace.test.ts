import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { openSocket } from './socket.ts';
import { serveBytes, serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

test('what is under way when the run is stopped has a moment to end', async () => {
  const stop = new AbortController();
  const server = await serveHttp((_, answer) => {
    stop.abort();
    setTimeout(() => answer.end('{}'), 20);
  });
  const options = wireOptions({ stop: stop.signal, graceMs: 4_000 });
  const exchange = await send(wireRequest(server.url), options);
  expect(exchange.failure).toBeNull();
  expect(exchange.response?.complete).toBe(true);
});

test('and is then cut, with what had come', async () => {
  const stop = new AbortController();
  const server = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n{"beg', () => stop.abort());
  });
  const options = wireOptions({ stop: stop.signal, graceMs: 20 });
  const exchange = await send(wireRequest(server.url), options);
  expect(exchange.failure).toMatchObject({
    kind: 'interrupted',
    message: expect.stringContaining('had not responded in full 20 ms later'),
  });
  expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('{"beg');
});

test('so is a WebSocket that is waited at', async () => {
  const stop = new AbortController();
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => sockets.once('listening', resolve));
  const address = sockets.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  sockets.on('connection', (socket) => socket.on('message', () => stop.abort()));
  try {
    const request = wireRequest(`ws://127.0.0.1:${port}`, { method: 'GET', body: null });
    const socket = await openSocket(request, wireOptions({ stop: stop.signal, graceMs: 20 }));
    socket.send({ type: 'response.create' });
    await socket.receive(() => true);
    const exchange = await socket.exchange();
    expect(exchange.failure?.kind).toBe('interrupted');
  } finally {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  }
});
