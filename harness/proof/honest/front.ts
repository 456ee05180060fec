import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A request in transit. An upgrade has no body. */
export interface Passing {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Intermediary in front of a gateway. It forwards everything that it does not handle unchanged. */
export interface Front {
  /** Returns an answer, or null to forward the request. */
  answer?(request: Passing): OwnAnswer | null;
  /** Headers that it adds to forwarded requests. */
  adds?(request: Passing): Readonly<Record<string, string>>;
  /** Called with the status of the gateway's answer. */
  answered?(request: Passing, status: number): void;
  /**
   * Returns when to reset the connection in place of an answer: before it forwards the request, or after the answer
   * has arrived; null for never.
   */
  resets?(request: Passing): 'before' | 'after' | null;
  /** Returns the milliseconds for which it holds a request before it forwards it. */
  holds?(request: Passing): number;
  /** True if it delivers event streams in one piece, after they have ended. */
  readonly holdsStreams?: boolean;
}

export interface StartedFront {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a front on a free port of 127.0.0.1. It listens when the promise resolves. */
export async function startFront(front: Front, upstream: string): Promise<StartedFront> {
  const { hostname, port } = new URL(upstream);
  const to: Upstream = { host: hostname, port: Number(port) };
  const tunnels = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 60_000 });
  server.on('request', (incoming, outgoing) => {
    outgoing.on('error', () => outgoing.destroy());
    // A client that disconnects while sending needs no answer.
    pass(incoming, outgoing, to, front).catch(() => outgoing.destroy());
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnels.add(socket);
    socket.on('close', () => tunnels.delete(socket));
    socket.on('error', () => socket.destroy());
    void tunnel(incoming, socket, head, to, front);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of tunnels) socket.destroy();
        server.closeAllConnections();
      }),
  };
}

interface Upstream {
  readonly host: string;
  readonly port: number;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: Upstream,
  front: Front,
): Promise<void> {
  const passing = passingOf(incoming, await buffer(incoming));
  const own = front.answer?.(passing) ?? null;
  if (own !== null) {
    outgoing.writeHead(own.status, own.headers).end(own.body);
    return;
  }
  const reset = front.resets?.(passing) ?? null;
  if (reset === 'before') {
    incoming.socket.resetAndDestroy();
    return;
  }
  await held(passing, front);
  const headers = [...incoming.rawHeaders, ...Object.entries(front.adds?.(passing) ?? {}).flat()];
  const { method, path, body } = passing;
  const onward = request({ agent: false, ...to, method, path, headers });
  outgoing.on('close', () => onward.destroy());
  onward.on('error', () => outgoing.destroy());
  onward.on('response', (answer) => {
    const { statusCode = 502, statusMessage, rawHeaders } = answer;
    if (reset === 'after') {
      incoming.socket.resetAndDestroy();
      return;
    }
    front.answered?.(passing, statusCode);
    const isStream = (answer.headers['content-type'] ?? '').startsWith('text/event-stream');
    if (isStream && front.holdsStreams === true) {
      buffer(answer).then(
        (whole) => outgoing.writeHead(statusCode, statusMessage, rawHeaders).end(whole),
        () => outgoing.destroy(),
      );
      return;
    }
    outgoing.writeHead(statusCode, statusMessage, rawHeaders);
    outgoing.flushHeaders();
    // Passes a cut of the gateway's answer on to the client.
    pipeline(answer, outgoing, () => {});
  });
  onward.end(body);
}

async function tunnel(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  to: Upstream,
  front: Front,
): Promise<void> {
  const passing = passingOf(incoming, Buffer.alloc(0));
  const own = front.answer?.(passing) ?? null;
  if (own !== null) {
    const all = {
      ...own.headers,
      connection: 'close',
      'content-length': String(Buffer.byteLength(own.body)),
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${own.status} Refused\r\n${lines.join('')}\r\n${own.body}`);
    return;
  }
  if ((front.resets?.(passing) ?? null) !== null) {
    incoming.socket.resetAndDestroy();
    return;
  }
  await held(passing, front);
  const lines = [`${passing.method} ${passing.path} HTTP/1.1`];
  const { rawHeaders } = incoming;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  for (const [name, value] of Object.entries(front.adds?.(passing) ?? {})) {
    lines.push(`${name}: ${value}`);
  }
  const onward = connect(to.port, to.host);
  onward.once('data', (first: Buffer) => {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(first.toString('latin1'))?.[1];
    front.answered?.(passing, Number(status ?? 502));
  });
  onward.write(`${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  pipeline(socket, onward, socket, () => {});
}

async function held(passing: Passing, front: Front): Promise<void> {
  const milliseconds = front.holds?.(passing) ?? 0;
  if (milliseconds > 0) await delay(milliseconds);
}

function passingOf({ method = '', url = '/', headers }: IncomingMessage, body: Buffer): Passing {
  return { method, path: url, headers, body };
}
