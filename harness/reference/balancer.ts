import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

export interface Upstream {
  readonly host: string;
  readonly port: number;
}

/** Returns the index of the upstream for a request or an upgrade. A promise is awaited. */
type Choose = (request: IncomingMessage) => number | Promise<number>;

interface BalancerOptions {
  /** Default: round robin per request. */
  readonly choose?: Choose;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
}

export interface Balancer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Selects the upstreams in rotation, one per request. */
export function byRequest(upstreams: number): (request: IncomingMessage) => number {
  let count = 0;
  return () => count++ % upstreams;
}

/**
 * Selects the upstream whose prefix the path has, for example `['/eu', '/us']`. A prefix ends at a slash or the end
 * of the path. The path is forwarded unchanged.
 */
export function byPath(prefixes: readonly string[]): (request: IncomingMessage) => number {
  return ({ url = '/' }) => prefixes.findIndex((prefix) => hasPrefix(url, prefix));
}

function hasPrefix(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length));
}

/**
 * Starts a minimal balancer in front of several gateways. It changes no header, buffers nothing, and retries
 * nothing. A cut or a reset on one side is passed on to the other. Only if no upstream is chosen (-1) does it
 * answer itself, with 404.
 */
export async function startBalancer(
  upstreams: readonly Upstream[],
  { choose = byRequest(upstreams.length), host = '127.0.0.1', port = 0 }: BalancerOptions = {},
): Promise<Balancer> {
  const tunnels = new Set<Duplex>();
  // Request timeouts are left to the gateway.
  const server = createServer({ ...headers, keepAliveTimeout: 60_000, requestTimeout: 0 });
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const to = upstreams[await choose(incoming)];
    if (to === undefined) outgoing.writeHead(404, { 'content-length': '0' }).end();
    else passOn(incoming, outgoing, to);
  };
  server.on('request', pass);
  // The gateway decides if a client may send its body.
  server.on('checkContinue', pass);
  server.on('upgrade', async (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    tunnels.add(socket);
    socket.on('close', () => tunnels.delete(socket));
    const to = upstreams[await choose(incoming)];
    if (to === undefined) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    else tunnel(incoming, socket, head, to);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of tunnels) socket.destroy();
        server.closeAllConnections();
      }),
  };
}

/** Same maximum header size as the gateway. */
const headers = { maxHeaderSize: 64 * 1024 };

/** Forwards a request on a new connection, because a kept-alive connection may close just as it is reused. */
function passOn(incoming: IncomingMessage, outgoing: ServerResponse, to: Upstream): void {
  const { method, url: path, rawHeaders, socket } = incoming;
  const onward = request({ ...headers, ...to, agent: false, method, path, headers: rawHeaders });
  onward.setNoDelay(true);
  outgoing.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  onward.on('error', (error) => cut(socket, error));
  onward.on('continue', () => outgoing.writeContinue());
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    outgoing.flushHeaders();
    pipeline(answer, outgoing, (error) => {
      if (error) cut(socket, answer.errored);
    });
  });
  // If a client disconnects in the middle of its request, the balancer disconnects from the gateway.
  pipeline(incoming, onward, () => {});
}

/** Forwards an upgraded connection byte by byte. */
function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, to: Upstream): void {
  const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
  const { rawHeaders } = incoming;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  const onward = connect({ ...to, noDelay: true });
  onward.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  onward.write(head);
  onward.on('error', (error) => cut(socket, error));
  socket.on('error', (error) => cut(onward, error));
  pipeline(socket, onward, socket, () => {});
}

/** Ends a connection in the same way as the other one ended. */
function cut(socket: Socket, error: Error | null | undefined): void {
  const isReset = error !== null && error !== undefined && 'code' in error;
  if (isReset && error.code === 'ECONNRESET' && !isHangUp(error)) socket.resetAndDestroy();
  else socket.destroy();
}

/** True if Node reports a closed connection rather than a reset. */
function isHangUp({ message }: Error): boolean {
  return message === 'socket hang up' || message === 'aborted';
}
