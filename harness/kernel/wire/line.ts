import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { type Connected, forwardProxyFor, type Opening, openConnection } from './connection.ts';
import { mostHeaderBytes } from './failure.ts';
import { type AnswerHandler, requestOverHttp2, type Sent } from './http2-request.ts';
import { proxyAddress, proxyAuthorization } from './proxies.ts';
import { ReceivedBytes } from './reading/received-bytes.ts';
import type { Routes } from './routes.ts';

/** Connection of one request. A kept connection serves several requests in sequence. */
export class Line {
  readonly #client: Client;
  #session: ClientHttp2Session | null = null;
  #isClosed = false;
  /** Connection that turned out not to speak HTTP/2, kept for the request. */
  #agreed: Socket | null = null;
  #opening: Opening | null = null;
  socket: Socket | null = null;
  socketError: Error | null = null;
  received: ReceivedBytes | null = null;
  readonly #origin: string;
  readonly #offersHttp2: boolean;
  readonly #routes: Routes;
  /** Proxy that forwards plain HTTP and needs absolute URLs. Null if none is used. */
  readonly #forward: string | null;
  /** True if a connection was opened for the current request. */
  #opened = false;

  constructor(
    origin: string,
    {
      isKept = false,
      offersHttp2 = false,
      routes = {},
    }: { readonly isKept?: boolean; readonly offersHttp2?: boolean; readonly routes?: Routes },
  ) {
    this.#origin = origin;
    this.#routes = routes;
    this.#forward = forwardProxyFor(origin, routes);
    this.#offersHttp2 = offersHttp2 && /^https:/i.test(origin);
    this.#client = new Client(origin, {
      connect: (_where, connected) => this.#connect(connected),
      // undici keeps no connection without pipelining. The sender enforces the timeout.
      pipelining: isKept ? 1 : 0,
      keepAliveTimeout: 60_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: mostHeaderBytes,
    });
  }

  /** Sends a request. Only one may be in flight. */
  send(asked: Sent, handler: Dispatcher.DispatchHandler & AnswerHandler): void {
    const request = this.#forward === null ? asked : forwarded(asked, this.#origin, this.#forward);
    this.#opened = false;
    this.socketError = null;
    this.received?.forget();
    const overHttp1 = (): void => {
      this.#client.dispatch(
        { ...request, headers: request.headers.flat(), idempotent: false },
        handler,
      );
    };
    if (!this.#offersHttp2) {
      overHttp1();
      return;
    }
    this.#open((error, socket) => {
      if (error !== null) handler.onResponseError(null, error);
      else if (this.isHttp2) {
        this.#session = requestOverHttp2(socket, this.#origin, request, handler);
      } else {
        this.#agreed = socket;
        overHttp1();
      }
    });
  }

  /** The proxy for plain HTTP, or null. */
  get forwardProxy(): string | null {
    return this.#forward;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True if the current request uses a connection that an earlier request has used. */
  get isReused(): boolean {
    return !this.#opened && this.socket !== null;
  }

  get isHttp2(): boolean {
    return (
      this.socket !== null && 'alpnProtocol' in this.socket && this.socket.alpnProtocol === 'h2'
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.destroy();
    this.#opening?.destroy();
    this.socket?.destroy();
    this.#client.destroy(over).catch(() => undefined);
  }

  #connect(connected: Connected): void {
    const agreed = this.#agreed;
    if (agreed !== null) {
      this.#agreed = null;
      // On a synchronous call, undici would consider itself busy and send nothing.
      queueMicrotask(() => connected(null, agreed));
    } else if (this.#opened) {
      // A second connection would send the request twice.
      connected(new Error('the connection was gone before the request was sent'), null);
    } else this.#open(connected);
  }

  #open(connected: Connected): void {
    this.#opened = true;
    this.#opening = openConnection(
      this.#origin,
      (error, socket) => {
        if (error !== null) {
          this.socketError = error;
          connected(error, null);
          return;
        }
        this.socket = socket;
        this.received = new ReceivedBytes(socket);
        socket.on('error', (broken) => {
          // The first error is the cause. undici ends the socket with an error of its own.
          if (this.socket === socket) this.socketError ??= broken;
        });
        connected(null, socket);
      },
      { offersHttp2: this.#offersHttp2, routes: this.#routes },
    );
  }
}

/** Returns a request in the form that a forward proxy takes for an origin of plain HTTP. */
function forwarded(request: Sent, origin: string, proxy: string): Sent {
  const authorization = proxyAuthorization(proxyAddress(proxy));
  return {
    ...request,
    path: `${origin}${request.path}`,
    headers: [
      ...request.headers,
      ...(authorization === null ? [] : [['Proxy-Authorization', authorization] as const]),
    ],
  };
}

/** Shared error for regular ends: undici would create one with a stack for each exchange. */
const over = new Error('the exchange is over');

/**
 * A connection for several requests in sequence, as clients have it. If the gateway has closed it, the next request
 * opens a new one, because no byte of that request was sent.
 */
export class KeptConnection {
  readonly #lines = new Map<string, Line>();

  /** Returns the line to an origin, for one request at a time. */
  lineTo(origin: string, routes: Routes = {}): Line {
    const open = this.#lines.get(origin);
    if (open !== undefined && !open.isClosed) return open;
    const line = new Line(origin, { isKept: true, routes });
    this.#lines.set(origin, line);
    return line;
  }

  /** True if the last request to the origin used a connection that an earlier one had used. */
  wasReused(origin: string): boolean {
    return this.#lines.get(origin)?.isReused ?? false;
  }

  close(): void {
    for (const line of this.#lines.values()) line.close();
  }
}
