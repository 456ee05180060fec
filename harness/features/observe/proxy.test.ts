import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { listening } from '../../kernel/wire/testing-server.ts';
import { type RunningProxy, startProxy } from './proxy.ts';

const key = 'sk-a-key-of-a-client-123456';

/** A proxy before a gateway at this port, and what it has seen. */
async function proxied(port: number): Promise<{
  readonly port: number;
  readonly seen: (Exchange | null)[];
  readonly said: string[];
  readonly proxy: RunningProxy;
}> {
  const seen: (Exchange | null)[] = [];
  const said: string[] = [];
  const regions = [{ name: 'here', baseUrl: `http://127.0.0.1:${port}` }];
  const target = withDefaults({ regions, keys: { owner: '' }, models: [] }, 'test');
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    seen: (exchange) => seen.push(exchange),
    say: (what) => said.push(what),
  });
  onTestFinished(() => proxy.close());
  return { port: Number(new URL(proxy.addresses[0]?.url ?? '').port), seen, said, proxy };
}

/** A gateway that answers with bytes, and keeps what it was sent. */
async function rawGateway(answer: (socket: Socket, soFar: Buffer) => void) {
  const sockets: { received: Buffer; socket: Socket; ended: boolean; error: boolean }[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const one = { received: Buffer.alloc(0), socket, ended: false, error: false };
    sockets.push(one);
    socket.on('data', (piece) => {
      one.received = Buffer.concat([one.received, piece]);
      answer(socket, one.received);
    });
    socket.on('end', () => {
      one.ended = true;
    });
    socket.on('error', () => {
      one.error = true;
    });
  });
  return { port: await listening(server), sockets };
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true);
}

/** Opens a connection, and keeps the pieces that come. */
function client(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const pieces: Buffer[] = [];
  const state = { ended: false, reset: false };
  socket.setNoDelay(true);
  socket.on('data', (piece) => pieces.push(piece));
  socket.on('end', () => {
    state.ended = true;
  });
  socket.on('error', () => {
    state.reset = true;
  });
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, pieces, state, text: () => Buffer.concat(pieces).toString('latin1') };
}

const head = [
  'POST /v1/responses?a=%20b HTTP/1.1',
  'hOsT: 127.0.0.1:1',
  `AUTHORIZATION:   Bearer ${key}`,
  'x-Twice: one',
  'X-tWICE:two\t',
  'X-Empty:',
  'x-latin: caf\xe9',
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
  'Trailer: x-end',
  '',
  '',
].join('\r\n');

const answerBytes = [
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  'HTTP/1.1 200 Fine indeed\r\ncontent-TYPE: application/json\r\nX-Odd:  spaced \r\nTransfer-Encoding: chunked\r\n\r\n',
  '5;ext="a;b"\r\n{"a":\r\n',
  '0003\r\n1}\n\r\n',
  '0;last\r\nX-Trailer: yes\r\n\r\n',
];

test('every byte goes on as it came, each way, but for the name of the host', async () => {
  const body = ['5;x=y\r\n{"b":\r\n', '002\r\n1}\r\n', '0\r\nx-end: done\r\n\r\n'];
  const gateway = await rawGateway(() => undefined);
  const { port, seen } = await proxied(gateway.port);
  const { socket, pieces, text } = client(port);
  const expected = head.replace('127.0.0.1:1\r', `127.0.0.1:${gateway.port}\r`);
  const received = (): string => gateway.sockets[0]?.received.toString('latin1') ?? '';
  socket.write(Buffer.from(head.slice(0, 60), 'latin1'));
  socket.write(Buffer.from(head.slice(60), 'latin1'));
  await until(() => received() === expected);
  for (const [index, piece] of body.entries()) {
    socket.write(piece);
    await until(() => received() === expected + body.slice(0, index + 1).join(''));
  }
  for (const [index, piece] of answerBytes.entries()) {
    gateway.sockets[0]?.socket.write(Buffer.from(piece, 'latin1'));
    await until(() => text() === answerBytes.slice(0, index + 1).join(''));
  }
  // The pieces are those that the gateway wrote: none was delayed, joined or cut.
  expect(pieces).toHaveLength(answerBytes.length);
  await until(() => seen.length === 1);
  expect(gateway.sockets).toHaveLength(1);
  const [exchange] = seen;
  expect(exchange).toMatchObject({
    about: { operation: 'responses.create', protocol: 'responses', region: 'here', key: 'owner' },
    failure: null,
    response: { status: 200, complete: true },
  });
  expect(Buffer.from(exchange?.request.body ?? []).toString()).toBe('{"b":1}');
  expect(Buffer.from(exchange?.response?.body ?? []).toString()).toBe('{"a":1}\n');
  expect(exchange?.response?.headers).toContainEqual(['content-TYPE', 'application/json']);
  // The proxy does not know what the value is, so it masks it.
  expect(exchange?.request.headers).toContainEqual(['X-tWICE', '***']);
  expect(JSON.stringify(exchange)).not.toContain(key);
});

test('requests that follow one another over a connection, also before an answer, are distinguished', async () => {
  let answered = 0;
  const gateway = await rawGateway((socket, soFar) => {
    const asked = soFar.toString().split('GET /').length - 1;
    for (; answered < asked; answered++) {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${answered}`);
    }
  });
  const { port, seen } = await proxied(gateway.port);
  const { socket, text } = client(port);
  const get = 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n';
  socket.write(get + get);
  await until(() => seen.length === 2);
  socket.write(get);
  await until(() => seen.length === 3);
  // The proxy reports the third exchange before the client has read it.
  const three = ['0', '1', '2'];
  const whole = three.map((one) => `HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${one}`).join('');
  await until(() => text().length >= whole.length);
  expect(text()).toBe(whole);
  expect(seen.map((one) => Buffer.from(one?.response?.body ?? []).toString())).toEqual(three);
  expect(new Set(seen.map((one) => one?.id.number)).size).toBe(3);
});

test.for([
  ['to a HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', ''],
  ['204', 'DELETE', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ['up to the end of the connection', 'GET', 'HTTP/1.0 200 OK\r\n\r\nall', 'all'],
] as const)('an answer %s is whole', async ([, method, bytes, body]) => {
  const gateway = await rawGateway((socket) => socket.end(bytes));
  const { port, seen } = await proxied(gateway.port);
  const { socket, text, state } = client(port);
  socket.write(`${method} /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await until(() => seen.length === 1 && state.ended);
  expect(text()).toBe(bytes);
  // Other methods do not belong to the interface at this path.
  if (method !== 'GET') return;
  expect(seen[0]?.response?.complete).toBe(true);
  expect(Buffer.from(seen[0]?.response?.body ?? []).toString()).toBe(body);
});

test('a gateway that breaks the connection in the middle breaks it for the client', async () => {
  const gateway = await rawGateway((socket) => {
    socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a"',
      () => setTimeout(() => socket.resetAndDestroy(), 30),
    );
  });
  const { port, seen } = await proxied(gateway.port);
  const { socket, state, text } = client(port);
  socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await until(() => seen.length === 1 && state.reset);
  expect(text()).toContain('{"a"');
  expect(seen[0]).toMatchObject({ failure: { kind: 'reset' }, response: { complete: false } });
});

test('a client that leaves in the middle leaves the gateway, and nobody is blamed', async () => {
  const gateway = await rawGateway((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {}\n\n');
  });
  const { port, seen } = await proxied(gateway.port);
  const { socket, text } = client(port);
  socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await until(() => text().includes('data'));
  socket.resetAndDestroy();
  await until(
    () => seen.length === 1 && gateway.sockets.every(({ error, ended }) => error || ended),
  );
  expect(seen[0]?.failure?.kind).toBe('cut');
});

test('half a request goes on as far as it came', async () => {
  const gateway = await rawGateway(() => undefined);
  const { port } = await proxied(gateway.port);
  const { socket } = client(port);
  socket.end('POST /v1/resp');
  await until(() => gateway.sockets[0]?.ended === true);
  expect(gateway.sockets[0]?.received.toString()).toBe('POST /v1/resp');
});

test('a gateway that is not there is said once, and no answer is made up', async () => {
  const gone = await rawGateway(() => undefined);
  const { port, said, seen } = await proxied(1);
  expect(gone.port).toBeGreaterThan(0);
  for (const _ of [1, 2]) {
    const { socket, state, text } = client(port);
    socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until(() => state.reset || state.ended);
    expect(text()).toBe('');
  }
  expect(said).toEqual([expect.stringContaining('cannot be reached')]);
  for (const one of seen) expect(one?.failure?.kind).toBe('unreachable');
});

test.for([false, true])(
  'a WebSocket passes as it is, compressed: %s',
  async (perMessageDeflate) => {
    const server = createHttpServer();
    const sockets = new WebSocketServer({ server, perMessageDeflate });
    sockets.on('connection', (one) => one.on('message', (data) => one.send(`${data}`.repeat(200))));
    const { port, seen } = await proxied(await listening(server));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
      perMessageDeflate,
    });
    const came: string[] = [];
    socket.on('open', () => socket.send(`{"say":"${key}"}`));
    socket.on('message', (data) => {
      came.push(`${data}`);
      if (came.length < 3) socket.send(`{"turn":${came.length}}`);
      else socket.close(1000, 'done');
    });
    await until(() => seen.length === 1);
    const said = [`{"say":"${key}"}`, '{"turn":1}', '{"turn":2}'];
    expect(came).toEqual(said.map((one) => one.repeat(200)));
    const [exchange] = seen;
    expect(exchange).toMatchObject({
      about: { operation: 'responses.connect', key: 'owner' },
      response: { status: 101 },
      socket: { close: { code: 1000, reason: 'done', by: 'us' } },
      failure: null,
    });
    const frames = exchange?.socket?.frames ?? [];
    expect(`${frames.map(({ from }) => from)}`).toBe('us,gateway,us,gateway,us,gateway');
    const texts = frames.map(({ data }) => Buffer.from(data).toString());
    expect(texts[0]).toBe(`{"say":"${'*'.repeat(key.length)}"}`);
    expect(texts[5]).toBe('{"turn":2}'.repeat(200));
  },
);

test('what is under way when the observation ends is told as far as it came', async () => {
  const gateway = await rawGateway(() => undefined);
  const { port, seen, proxy } = await proxied(gateway.port);
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/v1/messages' });
  sent.on('error', () => undefined);
  sent.end('{}');
  await until(() => gateway.sockets[0]?.received.includes('{}') === true);
  expect(proxy.underWay).toBe(1);
  await proxy.close();
  expect(seen[0]).toMatchObject({ failure: { kind: 'interrupted' }, response: null });
});
