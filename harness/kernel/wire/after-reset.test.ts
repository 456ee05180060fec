import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { afterReset } from './after-reset.ts';
import { freePort, listening, serveBytes, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

test('a connection that breaks where somebody still listens is a reset', async () => {
  const server = await serveBytes((socket) => socket.resetAndDestroy());
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(await afterReset(exchange)).toBe(exchange);
  expect(server.requests()).toBe(1);
});

test('one that breaks because its gateway ends says nothing of the gateway', async () => {
  const port = await freePort();
  const open: Socket[] = [];
  const server = createServer((socket) => {
    open.push(socket.on('error', () => undefined));
    // The server ends while the request is in flight.
    socket.once('data', () => {
      server.close();
      for (const one of open) one.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const exchange = await send(wireRequest(`http://127.0.0.1:${port}/v1`), wireOptions());
  expect(exchange.failure?.kind).toBe('reset');
  const { failure, ...rest } = await afterReset(exchange);
  expect(failure?.kind).toBe('ended');
  expect(failure?.message).toContain(`nobody listens at 127.0.0.1:${port} any more`);
  expect({ ...rest, failure: exchange.failure }).toEqual(exchange);
});

test('so does one that breaks a moment before its gateway listens no more', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.resetAndDestroy();
      // The look that this is about comes in between.
      server.once('connection', (look) => {
        look.destroy();
        server.close();
      });
    });
  });
  const url = `http://127.0.0.1:${await listening(server)}/v1`;
  const exchange = await send(wireRequest(url), wireOptions());
  expect(exchange.failure?.kind).toBe('reset');
  expect((await afterReset(exchange)).failure?.kind).toBe('ended');
});

test('what did not break is not looked at', async () => {
  const server = await serveBytes((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(await afterReset(exchange)).toBe(exchange);
  expect(server.connections()).toBe(1);
});
