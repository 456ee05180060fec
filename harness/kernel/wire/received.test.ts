import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { startClock } from './clock.ts';
import { type Receiving, received, receivedUpgrade } from './received.ts';
import { listening } from './testing-server.ts';

const about = { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' } as const;
const key = 'sk-a-key-of-the-test-1234';
const options = {
  id: idFrom('test#main/0'),
  about,
  origin: 'http://here',
  secrets: { owner: key },
};

type Listener = Parameters<typeof createServer>[1];

/** A server whose first request is recorded. */
async function serving(answer: NonNullable<Listener>): Promise<{
  readonly port: number;
  readonly server: Server;
  readonly receiving: Promise<Receiving>;
}> {
  const clock = startClock();
  let told: (receiving: Receiving) => void = () => undefined;
  const receiving = new Promise<Receiving>((resolve) => {
    told = resolve;
  });
  const server = createServer((request, out) => {
    told(received(request, out, { ...options, clock }));
    answer(request, out);
  });
  return { port: await listening(server), server, receiving };
}

/** Sends, and takes whatever comes of it. */
function post(
  port: number,
  body: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<string> {
  return new Promise((resolve) => {
    const sent = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/x?a=1',
      headers,
      agent,
    });
    sent.on('error', (error) => resolve(error.message));
    sent.on('response', async (answer) => {
      const pieces: Buffer[] = [];
      try {
        for await (const piece of answer) pieces.push(piece);
      } catch {
        // The answer was cut short: the received part is returned.
      }
      resolve(Buffer.concat(pieces).toString());
    });
    sent.end(body);
  });
}

async function recorded(receiving: Promise<Receiving>): Promise<Exchange> {
  return (await receiving).ended;
}

const textOf = ({ response }: Exchange) => Buffer.from(response?.body ?? []).toString();

test('records a request and its answer as both stood, without the key', async () => {
  const { port, receiving } = await serving((request, out) => {
    request.resume().on('end', () => {
      out.setHeader('X-Before', 'yes');
      out.writeHead(201, { 'Content-Type': 'application/json' });
      out.end(`{"key":"${key}"}`);
    });
  });
  await post(port, '{"say":"Hello."}', { 'X-Api-Key': key });
  const exchange = await recorded(receiving);
  expect(exchange.request.url).toBe('http://here/v1/x?a=1');
  expect(exchange.request.method).toBe('POST');
  expect(exchange.request.headers).toContainEqual(['X-Api-Key', '*'.repeat(key.length)]);
  expect(Buffer.from(exchange.request.body ?? []).toString()).toBe('{"say":"Hello."}');
  expect(exchange.response?.status).toBe(201);
  expect(exchange.response?.headers).toEqual([
    ['x-before', 'yes'],
    ['Content-Type', 'application/json'],
  ]);
  expect(textOf(exchange)).toBe(`{"key":"${'*'.repeat(key.length)}"}`);
  expect(exchange).toMatchObject({
    failure: null,
    echoed: ['owner'],
    response: { complete: true },
  });
});

test('keeps the body of a request that nobody reads', async () => {
  const { port, receiving } = await serving((_request, out) => out.writeHead(404).end());
  const body = 'x'.repeat(50_000);
  await post(port, body);
  const { ended, wholeRequest } = await receiving;
  expect(await wholeRequest).toBe(true);
  expect((await ended).request.body?.length).toBe(body.length);
});

test('keeps when each piece of a stream was written', async () => {
  const { port, receiving } = await serving(async (_request, out) => {
    out.writeHead(200, ['content-type', 'text/event-stream']);
    for (const piece of ['one', 'two']) {
      out.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    out.end();
  });
  await post(port, '');
  const { response } = await recorded(receiving);
  expect(response?.headers).toEqual([['content-type', 'text/event-stream']]);
  expect(response?.chunks.map(({ end }) => end)).toEqual([3, 6]);
  expect(response?.chunks[1]?.at).toBeGreaterThan(response?.chunks[0]?.at ?? Infinity);
});

test('decodes what is answered in a content coding', async () => {
  const { port, receiving } = await serving((_request, out) => {
    out.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
  });
  await post(port, '');
  expect(textOf(await recorded(receiving))).toBe('plain');
});

test.for([
  ['before anything is answered', false],
  ['in the middle of an answer', true],
] as const)('says that the server cut the connection %s', async ([, begins]) => {
  const { port, receiving } = await serving((request, out) => {
    request.resume().on('end', () => {
      if (!begins) return request.socket.resetAndDestroy();
      out.writeHead(200, { 'content-length': '10' });
      return out.write('half', () => request.socket.destroy());
    });
  });
  await post(port, 'whole');
  const exchange = await recorded(receiving);
  expect(exchange.failure?.kind).toBe('cut');
  expect(Buffer.from(exchange.request.body ?? []).toString()).toBe('whole');
  if (begins) expect(exchange.response).toMatchObject({ status: 200, complete: false });
  else expect(exchange.response).toBeNull();
});

test.for([
  ['while it waited', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab', true],
  ['while it sent', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab', false],
] as const)('says that the client left %s', async ([, head, isWhole]) => {
  const { port, receiving } = await serving(() => undefined);
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  const { wholeRequest, ended } = await receiving;
  // The body arrived together with the head.
  if (isWhole) await wholeRequest;
  socket.resetAndDestroy();
  expect(await wholeRequest).toBe(isWhole);
  const exchange = await ended;
  expect(exchange.failure).toMatchObject({
    kind: 'reset',
    message: expect.stringContaining(isWhole ? 'answer' : 'request'),
  });
  expect(Buffer.from(exchange.request.body ?? []).toString()).toBe('ab');
});

test('ends a request that never ends', async () => {
  const clock = startClock();
  const receiving = new Promise<Receiving>((resolve) => {
    const server = createServer((request, out) =>
      resolve(received(request, out, { ...options, clock, maxBodyBytes: 1_000_000 })),
    );
    listening(server).then((port) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n');
      const pour = () => {
        if (socket.writable) socket.write(Buffer.alloc(100_000, 'a'), pour);
      };
      pour();
    });
  });
  const { wholeRequest, ended } = await receiving;
  expect(await wholeRequest).toBe(false);
  expect((await ended).request.body?.length).toBeLessThan(1_200_000);
});

test('records a WebSocket conversation', async () => {
  const { port, server } = await serving(() => undefined);
  const clock = startClock();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const recording = new Promise<Exchange>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      resolve(receivedUpgrade(request, socket, head, { ...options, clock }));
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('message', (data) => opened.send(`${data} ${'é'.repeat(200)}`));
      });
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${port}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  client.on('open', () => client.send(`{"ask":"${key}"}`));
  client.on('message', () => client.close(1000, 'done'));
  const exchange = await recording;
  expect(exchange.request.url).toBe('ws://here/v1/responses');
  expect(exchange.response?.status).toBe(101);
  const masked = `{"ask":"${'*'.repeat(key.length)}"}`;
  expect(
    exchange.socket?.frames.map(({ from, data }) => [from, Buffer.from(data).toString()]),
  ).toEqual([
    ['us', masked],
    ['gateway', `${masked} ${'é'.repeat(200)}`],
  ]);
  expect(exchange.socket?.close).toEqual({ code: 1000, reason: 'done', by: 'us' });
  expect(exchange.failure).toBeNull();
});

test('records an upgrade that is refused', async () => {
  const { port, server } = await serving(() => undefined);
  const clock = startClock();
  const recording = new Promise<Exchange>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      resolve(receivedUpgrade(request, socket, head, { ...options, clock }));
      socket.end('HTTP/1.1 401 No\r\ncontent-type: application/json\r\n\r\n{"error":1}');
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${port}/`);
  client.on('error', () => client.terminate());
  const exchange = await recording;
  expect(exchange.response?.status).toBe(401);
  expect(textOf(exchange)).toBe('{"error":1}');
  expect(exchange.socket).toBeNull();
});

test('listens to a kept connection once, however many requests come over it', async () => {
  const { port, server } = await serving((request, out) => {
    request.resume().on('end', () => out.end(String(request.socket.listenerCount('error'))));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const counts: string[] = [];
  for (let round = 0; round < 3; round++) counts.push(await post(port, '', {}, agent));
  agent.destroy();
  expect(new Set(counts).size, counts.join(', ')).toBe(1);
  expect(server.listening).toBe(true);
});
