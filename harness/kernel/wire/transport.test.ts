import { expect, test } from 'vitest';
import { json, text } from './body.ts';
import { serverSentEvents } from './sse.ts';
import {
  bodyOf,
  firstEvent,
  freePort,
  serveBytes,
  serveHttp,
  wireOptions,
  wireRequest,
} from './testing-server.ts';
import { send } from './transport.ts';

test('an answer is recorded as it came, with duplicate headers and its pieces', async () => {
  const { timeForNext, onFirstEvent } = firstEvent();
  const server = await serveHttp(async (request, response) => {
    expect(await bodyOf(request)).toBe('{"input":"Hello."}');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.setHeader('X-Latin', 'caf\u00e9');
    response.setHeader('Content-Type', 'text/event-stream');
    response.write('data: 1\n\n');
    await timeForNext;
    response.end('data: 22\n\n');
  });
  const request = wireRequest(`${server.url}/v1/x`, { onFirstEvent });
  const exchange = await send(request, wireOptions());

  expect(exchange.failure).toBeNull();
  expect(exchange.response?.status).toBe(200);
  expect(exchange.response?.complete).toBe(true);
  expect(text(exchange)).toEqual({ ok: true, value: 'data: 1\n\ndata: 22\n\n' });
  expect(exchange.response?.headers).toContainEqual(['Set-Cookie', 'a=1']);
  expect(exchange.response?.headers).toContainEqual(['Set-Cookie', 'b=2']);
  expect(exchange.response?.headers).toContainEqual(['X-Latin', 'caf\u00e9']);
  const [first, second] = exchange.response?.chunks ?? [];
  expect([first?.end, second?.end]).toEqual([9, 19]);
  const { started, headers, ended } = exchange.times;
  expect(started).toBeLessThan(headers ?? 0);
  expect(headers).toBeLessThanOrEqual(first?.at ?? 0);
  expect(first?.at).toBeLessThan(second?.at ?? 0);
  expect(second?.at).toBeLessThanOrEqual(ended);
});

test('the request on record is the request on the wire', async () => {
  let seen = '';
  const server = await serveBytes((socket, head) => {
    seen = head;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const url = `${server.url}/gateway/../v1/models/acme%2Fodd%3A:x?b=1&a=%20`;
  const { request } = await send(wireRequest(url), wireOptions());

  const [line, ...headers] = (seen.split('\r\n\r\n')[0] ?? '').split('\r\n');
  expect(line).toBe('POST /gateway/../v1/models/acme%2Fodd%3A:x?b=1&a=%20 HTTP/1.1');
  expect(headers).toEqual(request.headers.map(([name, value]) => `${name}: ${value}`));
});

test('a redirect is an answer, not a way to go', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(307, { Location: '/elsewhere' }).end();
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.response?.status).toBe(307);
  expect(server.requests()).toBe(1);
});

test('nobody listens: unreachable, and the message says where to look', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const exchange = await send(wireRequest(url), wireOptions());
  expect(exchange.response).toBeNull();
  expect(exchange.failure?.kind).toBe('unreachable');
  expect(exchange.failure?.message).toMatch(/nobody listens at 127\.0\.0\.1:\d+: is the gateway/);
});

test('a name that does not resolve: unreachable', async () => {
  const exchange = await send(wireRequest('http://gateway.invalid'), wireOptions());
  expect(exchange.failure?.kind).toBe('unreachable');
  expect(exchange.failure?.message).toContain('the name of gateway.invalid does not resolve');
});

test('https where only http is spoken: the base address is doubted', async () => {
  const server = await serveHttp((_request, response) => response.end());
  const url = server.url.replace('http:', 'https:');
  const exchange = await send(wireRequest(url), wireOptions());
  expect(exchange.failure?.kind).toBe('not-http');
  expect(exchange.failure?.message).toContain('should the base address begin with http://?');
});

test('a gateway that never answers: timeout', async () => {
  const server = await serveBytes(() => undefined);
  const exchange = await send(wireRequest(server.url), wireOptions({ timeoutMs: 1_000 }));
  expect(exchange.failure?.kind).toBe('timeout');
  expect(exchange.times.ended - exchange.times.started).toBeGreaterThanOrEqual(999);
  expect(server.requests()).toBe(1);
});

test('a stream that stalls: timeout, and what came is kept', async () => {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\ndata: 2');
  });
  const exchange = await send(wireRequest(server.url), wireOptions({ timeoutMs: 1_000 }));
  expect(exchange.failure?.kind).toBe('timeout');
  expect(exchange.response?.complete).toBe(false);
  expect(text(exchange)).toEqual({ ok: true, value: 'data: 1\n\ndata: 2' });
  expect(serverSentEvents(exchange).events).toHaveLength(1);
});

test.each([
  ['garbage', 'what is this?\r\n\r\n', 'not-http'],
  ['a greeting of another protocol', '220 mail.example ESMTP\r\n', 'not-http'],
  [
    'a chunk length that is none',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc',
    'not-http',
  ],
  ['nothing', '', 'reset'],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty', 'reset'],
  ['less than the length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'reset'],
  [
    'an unfinished chunked body',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'reset',
  ],
  [
    'an upgrade nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'not-http',
  ],
  ['endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`, 'unread'],
])('%s, then a close', async (_what, answer, kind) => {
  const server = await serveBytes((socket) => socket.end(answer));
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.failure?.kind, exchange.failure?.message).toBe(kind);
  expect(exchange.response?.complete ?? false).toBe(false);
  if (answer.includes('abc') && kind === 'reset') {
    expect(text(exchange)).toEqual({ ok: true, value: 'abc' });
  }
  expect(server.requests()).toBe(1);
  expect(server.connections()).toBe(1);
});

test('a body without a length ends with its connection', async () => {
  const server = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'));
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.failure).toBeNull();
  expect(exchange.response?.complete).toBe(true);
  expect(json(exchange)).toEqual({ ok: true, value: { a: 1 } });
});

test('but not with one that is reset', async () => {
  const server = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n{"a":1}', () =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.failure?.kind).toBe('reset');
  expect(exchange.response?.complete).toBe(false);
  expect(exchange.failure?.message).toContain('after 7 bytes of its body');
});

test('interim answers are passed over', async () => {
  const server = await serveBytes((socket) => {
    socket.end(
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    );
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.response?.status).toBe(200);
  expect(exchange.response?.headers).toEqual([['Content-Length', '2']]);
});

test('an endless body is read up to the bound', async () => {
  const server = await serveHttp((_request, response) => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  });
  const options = wireOptions({ maxBodyBytes: 1_000_000 });
  const exchange = await send(wireRequest(server.url), options);
  expect(exchange.failure?.kind).toBe('too-large');
  expect(exchange.failure?.message).toContain('larger than 1000000 bytes');
  // The beginning tells enough; the rest would only fill the memory.
  expect(exchange.response?.body.length).toBe(65_536);
  expect(exchange.response?.chunks.at(-1)?.end).toBe(65_536);
});

test('a body that is not UTF-8 says where', async () => {
  const server = await serveHttp((_request, response) => {
    response.end(Buffer.concat([Buffer.from('{"a":"\u00e4"'), Buffer.from([0xc3, 0x28, 0x7d])]));
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(text(exchange)).toEqual({ ok: false, reason: 'the body is not UTF-8 from byte 9 on' });
});

test('HTML is an answer, and no JSON', async () => {
  const server = await serveHttp((_request, response) => {
    response.end('<html><body>502 Bad Gateway</body></html>');
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect(exchange.failure).toBeNull();
  const read = json(exchange);
  expect(read.ok ? '' : read.reason).toMatch(/the body is not JSON: .* begins with "<html>/);
});

test('a stream is cut after so many events, and the gateway sees it', async () => {
  let dropped: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    dropped = resolve;
  });
  const server = await serveHttp((_request, response) => {
    response.on('close', dropped);
    // Three events in one packet: the record ends with the second all the same.
    response.write('data: 1\n\ndata: 2\r\n\r\ndata: 3\n\n');
  });
  const exchange = await send(wireRequest(server.url, { cut: { events: 2 } }), wireOptions());
  expect(exchange.failure?.kind).toBe('cut');
  expect(exchange.response?.complete).toBe(false);
  expect(text(exchange)).toEqual({ ok: true, value: 'data: 1\n\ndata: 2\r\n\r\n' });
  expect(serverSentEvents(exchange).events.map(({ data }) => data)).toEqual(['1', '2']);
  await seen;
  expect(server.requests()).toBe(1);
});

test('a stream that ends before the cut ends as it does', async () => {
  const server = await serveHttp((_request, response) => response.end('data: 1\n\n'));
  const exchange = await send(wireRequest(server.url, { cut: { events: 2 } }), wireOptions());
  expect(exchange.failure).toBeNull();
  expect(exchange.response?.complete).toBe(true);
});

test.each([
  ['a few bytes', 100, 5, 5],
  ['no byte, which means one', 100, 0, 1],
  ['all of it', 100, 1_000, 100],
  ['most of a large one', 3_000_000, 2_500_000, 2_500_000],
])('a request is cut after %s, and the gateway sees it', async (_what, size, after, sent) => {
  let arrived = 0;
  let dropped: (length: string | undefined) => void = () => undefined;
  const seen = new Promise<string | undefined>((resolve) => {
    dropped = resolve;
  });
  const server = await serveHttp((request) => {
    request.on('data', (piece: Buffer) => {
      arrived += piece.length;
    });
    request.on('error', () => undefined);
    request.on('close', () => dropped(request.headers['content-length']));
    request.socket.on('close', () => dropped(request.headers['content-length']));
  });
  const body = Buffer.alloc(size, 'x');
  const exchange = await send(
    wireRequest(server.url, { body, cutRequestAfterBytes: after }),
    wireOptions(),
  );
  expect(exchange.failure?.kind, exchange.failure?.message).toBe('cut');
  expect(exchange.response).toBeNull();
  expect(exchange.request.headers).toContainEqual(['content-length', String(size)]);
  expect(await seen).toBe(String(size));
  expect(arrived).toBe(sent);
  expect(server.requests()).toBe(1);
});

test('nothing is sent once the run is being interrupted', async () => {
  const server = await serveHttp((_request, response) => response.end());
  const exchange = await send(wireRequest(server.url), wireOptions({ stop: AbortSignal.abort() }));
  expect(exchange.failure?.kind).toBe('interrupted');
  expect(server.connections()).toBe(0);
});

test('a request that cannot be written is an error of the caller', async () => {
  const request = wireRequest('http://127.0.0.1:1', { headers: [['X-Bad', 'a\nb']] });
  await expect(send(request, wireOptions())).rejects.toThrow('invalid X-Bad header');
});

test('two hundred exchanges at once, one connection and one request each', async () => {
  const server = await serveHttp((request, response) => response.end(request.url));
  const exchanges = await Promise.all(
    Array.from({ length: 200 }, (_, n) => send(wireRequest(`${server.url}/${n}`), wireOptions())),
  );
  expect(exchanges.map((exchange) => text(exchange))).toEqual(
    Array.from({ length: 200 }, (_, n) => ({ ok: true, value: `/${n}` })),
  );
  expect(server.requests()).toBe(200);
  expect(server.connections()).toBe(200);
});
