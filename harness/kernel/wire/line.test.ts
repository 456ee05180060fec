import { afterAll, expect, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { text } from './body.ts';
import { trust } from './connection.ts';
import { KeptConnection } from './line.ts';
import { serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

const over = (): KeptConnection => new KeptConnection();

test('two requests over one connection', async () => {
  const server = await serveHttp((_request, response) => response.end('{}'));
  const kept = over();
  const first = await send(wireRequest(server.url, { over: kept }), wireOptions());
  const second = await send(wireRequest(server.url, { over: kept }), wireOptions());
  expect([first.failure, second.failure]).toEqual([null, null]);
  expect([first.response?.over, second.response?.over]).toEqual([undefined, 'kept connection']);
  expect(second.request.headers).toContainEqual(['connection', 'keep-alive']);
  expect([server.requests(), server.connections()]).toEqual([2, 1]);
  kept.close();
});

test('a gateway that says it closes: the next request opens a connection', async () => {
  const server = await serveHttp((_request, response) => {
    response.setHeader('connection', 'close').end('{}');
  });
  const kept = over();
  await send(wireRequest(server.url, { over: kept }), wireOptions());
  const second = await send(wireRequest(server.url, { over: kept }), wireOptions());
  expect([second.failure, second.response?.over]).toEqual([null, undefined]);
  expect([server.requests(), server.connections()]).toEqual([2, 2]);
  kept.close();
});

test('a connection that is gone is not asked twice', async () => {
  let asked = 0;
  const server = await serveHttp((request, response) => {
    asked++;
    if (asked === 1) response.end('{}');
    else request.socket.resetAndDestroy();
  });
  const kept = over();
  await send(wireRequest(server.url, { over: kept }), wireOptions());
  const second = await send(wireRequest(server.url, { over: kept }), wireOptions());
  expect([second.failure?.kind, second.response]).toEqual(['reset', null]);
  const third = await send(wireRequest(server.url, { over: kept }), wireOptions());
  expect(third.failure?.kind).toBe('reset');
  expect([server.requests(), server.connections()]).toEqual([3, 2]);
  kept.close();
});

const gateway = await startReference({ isSecure: true });
for (const { baseUrl } of gateway.regions) trust(baseUrl, gateway.certificate ?? '');

afterAll(() => gateway.close());

function asked(fields: Parameters<typeof wireRequest>[1]) {
  const url = `${gateway.regions[0]?.baseUrl}/v1/chat/completions`;
  const body = {
    model: 'ts-omni',
    max_tokens: 16,
    stream: true,
    messages: [{ role: 'user', content: 'Hello.' }],
  };
  return send(
    wireRequest(url, {
      headers: [
        ['Content-Type', 'application/json'],
        ['Authorization', `Bearer ${gateway.keys.owner}`],
      ],
      body: Buffer.from(JSON.stringify(body)),
      ...fields,
    }),
    wireOptions(),
  );
}

test('HTTP/2, where it is offered and taken', async () => {
  const plain = await asked({});
  const offered = await asked({ offersHttp2: true });
  expect([plain.failure, plain.response?.status, plain.response?.over]).toEqual([
    null,
    200,
    undefined,
  ]);
  expect([offered.failure, offered.response?.status, offered.response?.over]).toEqual([
    null,
    200,
    'http/2',
  ]);
  expect(offered.response?.complete).toBe(true);
  const read = text(offered);
  expect(read.ok && read.value).toContain('data: [DONE]');
});

test('HTTP/2 offered to who has no TLS: HTTP/1.1', async () => {
  const server = await serveHttp((_request, response) => response.end('{}'));
  const exchange = await send(wireRequest(server.url, { offersHttp2: true }), wireOptions());
  expect([exchange.failure, exchange.response?.over]).toEqual([null, undefined]);
});
