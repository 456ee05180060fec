import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type Balancer, byPath, byRequest, startBalancer } from './balancer.ts';

/** Request handler of the two nodes. Each test sets it. */
let handle: (node: number) => RequestListener;
const nodes: Server[] = [];
const balancers: Balancer[] = [];
const sockets = new WebSocketServer({ noServer: true });

const upstreams = () =>
  nodes.map((one) => ({ host: '127.0.0.1', port: (one.address() as AddressInfo).port }));

for (const node of [0, 1]) {
  const server = createServer((incoming, out) => handle(node)(incoming, out));
  server.on('upgrade', (incoming, socket, head) =>
    sockets.handleUpgrade(incoming, socket, head, (opened) => {
      opened.on('message', (data, isBinary) => opened.send(isBinary ? data : `${node} ${data}`));
    }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  nodes.push(server);
}
const balancer = await startBalancer(upstreams());
balancers.push(balancer);

afterAll(async () => {
  await Promise.all(balancers.map((one) => one.close()));
  for (const node of nodes) node.close().closeAllConnections();
});

const says =
  (text = ''): typeof handle =>
  (node) =>
  (_incoming, out) =>
    void out.end(`${node}${text}`);

describe('which node a request goes to', () => {
  const asked = (url: string) => ({ url }) as never;

  test('by requests, by what the path begins with', () => {
    const requests = byRequest(2);
    expect([1, 2, 3].map(() => requests(asked('/')))).toEqual([0, 1, 0]);
    const paths = byPath(['/eu', '/us']);
    expect(['/us/v1', '/eu', '/eu?a', '/europe'].map((url) => paths(asked(url)))).toEqual([
      1, 0, 0, -1,
    ]);
  });

  test('is what happens; where there is none, it is told', async () => {
    handle = says();
    const answers: string[] = [];
    for (const _ of [1, 2, 3]) answers.push(await (await fetch(balancer.baseUrl)).text());
    expect(new Set(answers).size).toBe(2);
    const regions = await startBalancer(upstreams(), { choose: byPath(['/eu', '/us']) });
    balancers.push(regions);
    const at = async (path: string) => {
      const answer = await fetch(`${regions.baseUrl}${path}`);
      return [answer.status, await answer.text()];
    };
    expect([await at('/us/v1'), await at('/eu'), await at('/')]).toEqual([
      [200, '1'],
      [200, '0'],
      [404, ''],
    ]);
  });
});

test('method, path, body, status and headers are what they were', async () => {
  handle = () => async (incoming, out) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, url, headers } = incoming;
    out.writeHead(418, 'Own words', ['x-two', 'a', 'x-two', 'b', 'x-had', `${headers['x-has']}`]);
    out.end(`${method} ${url} ${Buffer.concat(chunks)}`);
  };
  const answer = await fetch(`${balancer.baseUrl}/a?b=c`, {
    method: 'PUT',
    headers: { 'x-has': 'one' },
    body: 'ünit',
  });
  expect([answer.status, answer.statusText, await answer.text()]).toEqual([
    418,
    'Own words',
    'PUT /a?b=c ünit',
  ]);
  expect([answer.headers.get('x-two'), answer.headers.get('x-had')]).toEqual(['a, b', 'one']);
});

test('what was written comes before the next is', async () => {
  let next: (text: string) => void = () => undefined;
  handle = () => (_incoming, out) => {
    out.writeHead(200, { 'content-type': 'text/event-stream' });
    out.flushHeaders();
    next = (text) => void (text === '' ? out.end() : out.write(text));
  };
  // The head comes before any piece.
  const answer = await fetch(balancer.baseUrl);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    next(piece);
    expect((await reader?.read())?.value).toBe(piece);
  }
  next('');
  expect((await reader?.read())?.done).toBe(true);
});

test('a body comes as it is sent, and a client that goes away is gone for the node', async () => {
  const told = new EventEmitter();
  handle = () => (incoming) => {
    incoming.once('data', (first) => told.emit('came', String(first)));
    incoming.on('error', () => undefined);
    incoming.on('close', () => told.emit('gone', incoming.complete));
  };
  const came = once(told, 'came');
  const gone = once(told, 'gone');
  const sent = request(balancer.baseUrl, { method: 'POST' });
  sent.on('error', () => undefined);
  sent.write('half');
  expect(await came).toEqual(['half']);
  sent.destroy();
  expect(await gone).toEqual([false]);
});

test('a client that leaves a stream is gone for the node', async () => {
  const told = new EventEmitter();
  const gone = once(told, 'gone');
  handle = () => (_incoming, out) => {
    out.write('first');
    out.on('close', () => told.emit('gone'));
  };
  const leaving = new AbortController();
  const answer = await fetch(balancer.baseUrl, { signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();
  await gone;
});

describe('what a node cuts', () => {
  /** Returns the text received on a raw connection and the error code that ended it. */
  async function ending(): Promise<{ readonly text: string; readonly code: string | null }> {
    const socket = connect(Number(new URL(balancer.baseUrl).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    let text = '';
    let code: string | null = null;
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? null;
    });
    await new Promise((resolve) => socket.on('close', resolve));
    return { text, code };
  }

  test.each([
    ['destroy', null],
    ['resetAndDestroy', 'ECONNRESET'],
  ] as const)('in the middle of a body, by %s, is cut so', async (how, code) => {
    handle = () => (incoming, out) =>
      void out.write('half', () => setTimeout(() => incoming.socket[how](), 20));
    const end = await ending();
    expect(end.text).toMatch(/half/);
    expect(end.text).not.toMatch(/\r\n0\r\n/);
    expect(end.code).toBe(code);
  });

  test.each([
    ['destroy', null],
    ['resetAndDestroy', 'ECONNRESET'],
  ] as const)('before a head, by %s, is asked once and answered by nobody', async (how, code) => {
    let asked = 0;
    handle = () => (incoming) => {
      asked++;
      incoming.socket[how]();
    };
    expect([await ending(), asked]).toEqual([{ text: '', code }, 1]);
  });
});

test('a WebSocket is passed on both ways, and closed from either end', async () => {
  const socket = new WebSocket(balancer.baseUrl.replace('http', 'ws'));
  await once(socket, 'open');
  socket.send('words');
  const [data] = await once(socket, 'message');
  expect(String(data)).toMatch(/^[01] words$/);
  for (const one of sockets.clients) one.close(4_001, 'enough');
  const [code] = await once(socket, 'close');
  expect(code).toBe(4_001);
});
