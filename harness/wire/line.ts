import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { type Connected, openConnection } from './connection.ts';
import { mostHeaderBytes } from './failure.ts';
import { type AnswerHandler, requestOverHttp2, type Sent } from './http2-request.ts';
import { ReceivedBytes } from './reading/received-bytes.ts';

/** The connection of one request; or of several, one after another, where it is kept. */
export class Line {
  readonly #client: Client;
  #session: ClientHttp2Session | null = null;
  #isClosed = false;
  /** Opened to find out that HTTP/2 is not spoken, and still to be used. */
  #agreed: Socket | null = null;
  socket: Socket | null = null;
  socketError: Error | null = null;
  received: ReceivedBytes | null = null;
  readonly #origin: string;
  readonly #offersHttp2: boolean;
  /** Whether a connection was opened for the request that is under way. */
  #opened = false;

  constructor(
    origin: string,
    {
      isKept = false,
      offersHttp2 = false,
    }: { readonly isKept?: boolean; readonly offersHttp2?: boolean },
  ) {
    this.#origin = origin;
    this.#offersHttp2 = offersHttp2 && /^https:/i.test(origin);
    this.#client = new Client(origin, {
      connect: (_where, connected) => this.#connect(connected),
      // Without pipelining there is no keep-alive either. The time-out is kept by who sends.
      pipelining: isKept ? 1 : 0,
      keepAliveTimeout: 60_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: mostHeaderBytes,
    });
  }

  /** Sends a request; one at a time. */
  send(request: Sent, handler: Dispatcher.DispatchHandler & AnswerHandler): void {
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

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The request that is under way goes over a connection that another has used. */
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
    this.socket?.destroy();
    this.#client.destroy(over).catch(() => undefined);
  }

  #connect(connected: Connected): void {
    if (this.#agreed !== null) {
      connected(null, this.#agreed);
      this.#agreed = null;
    } else if (this.#opened) {
      // A second connection would be a second sending.
      connected(new Error('the connection was gone before the request was sent'), null);
    } else this.#open(connected);
  }

  #open(connected: Connected): void {
    this.#opened = true;
    let isWaiting = true;
    const ready = (): void => {
      isWaiting = false;
      connected(null, socket);
    };
    const socket = openConnection(this.#origin, ready, { offersHttp2: this.#offersHttp2 });
    this.socket = socket;
    this.received = new ReceivedBytes(socket);
    socket.on('error', (error) => {
      if (this.socket === socket) this.socketError = error;
      if (isWaiting) connected(error, null);
      isWaiting = false;
    });
  }
}

/** Given, because undici else makes one, with its stack, for each exchange that has ended well. */
const over = new Error('the exchange is over');

/**
 * A connection over which several requests are sent, one after another, as clients do. Where the gateway
 * has closed it, the next request opens another: nothing of it was sent.
 */
export class KeptConnection {
  readonly #lines = new Map<string, Line>();

  /** To be used by one request at a time. */
  lineTo(origin: string): Line {
    const open = this.#lines.get(origin);
    if (open !== undefined && !open.isClosed) return open;
    const line = new Line(origin, { isKept: true });
    this.#lines.set(origin, line);
    return line;
  }

  close(): void {
    for (const line of this.#lines.values()) line.close();
  }
}
