import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { idFrom } from '../core/testing.ts';
import { isGone } from './after-reset.ts';
import { startClock } from './clock.ts';
import type { WireOptions, WireRequest } from './request.ts';

/** Real servers for tests, on a free port. They stop at the end of the test. */

interface TestServer {
  readonly url: string;
  /** Number of accepted connections. */
  connections(): number;
  /** Number of requests whose head arrived. */
  requests(): number;
}

/**
 * Lets a streaming server wait until a request with `onFirstEvent` has read the first event, plus the time after
 * which the next event counts as another piece (`marks.ts`).
 */
export function firstEvent(): {
  readonly timeForNext: Promise<void>;
  readonly onFirstEvent: () => void;
} {
  let onFirstEvent = (): void => {};
  const isRead = new Promise<void>((resolve) => {
    onFirstEvent = resolve;
  });
  return { timeForNext: isRead.then(() => delay(10)), onFirstEvent };
}

export async function serveHttp(listener: RequestListener): Promise<TestServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    listener(request, response);
  });
  return started(server, () => requests);
}

/** Starts a server with a custom protocol. `answer` gets each socket with the request's head. */
export async function serveBytes(
  answer: (socket: Socket, head: string) => void,
): Promise<TestServer> {
  let requests = 0;
  const server = createTcpServer((socket) => {
    let head = '';
    socket.on('error', () => undefined);
    const read = (piece: Buffer): void => {
      head += piece.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      requests++;
      answer(socket, head);
    };
    socket.on('data', read);
  });
  return started(server, () => requests);
}

async function started(server: Server | TcpServer, requests: () => number): Promise<TestServer> {
  let connections = 0;
  server.on('connection', () => connections++);
  const url = `http://127.0.0.1:${await listening(server)}`;
  return { url, connections: () => connections, requests };
}

/** Lets a server listen on a free port, which it returns. The end of the test closes it, and what is open there. */
export async function listening(server: NetServer): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

/** Any server of Node: of sockets, HTTP, TLS or HTTP/2. */
interface NetServer {
  listen(port: number, host: string, done: () => void): unknown;
  close(done: () => void): unknown;
  address(): AddressInfo | string | null;
  on(event: 'connection', seen: (socket: Socket) => void): unknown;
}

/** A port without a listener, below those that the system gives to others. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  return (await isGone(`http://127.0.0.1:${port}`)) ? port : freePort();
}

export function wireRequest(url: string, fields: Partial<WireRequest> = {}): WireRequest {
  return {
    id: idFrom('test#main/0'),
    about: { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' },
    method: 'POST',
    url,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{"input":"Hello."}'),
    ...fields,
  };
}

export function wireOptions(fields: Partial<WireOptions> = {}): WireOptions {
  return { clock: startClock(), timeoutMs: 20_000, secrets: {}, ...fields };
}

/** Reads the whole body of a request on a server. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
