import type { IncomingMessage } from 'node:http';
import type { createConnection, Socket } from 'node:net';
import { WebSocket } from 'ws';
import {
  type Exchange,
  type ExchangeFailure,
  type HeaderLines,
  Meter,
  mostThings,
  overBound,
  parsed,
  type SocketFrame,
  type SocketTranscript,
} from '../core/index.ts';
import { redactBytes, redactExchange } from '../redaction/index.ts';
import { addressOf } from './address.ts';
import { BodyDecoder, withheldIfCoded } from './coding.ts';
import { type Connected, type Opening, openConnection } from './connection.ts';
import { Deadline } from './deadline.ts';
import { failureOf, mostHeaderBytes } from './failure.ts';
import { endSoonAfterStop } from './grace.ts';
import { headerLines } from './header-lines.ts';
import { withPeer } from './peer.ts';
import { ReceivedBytes } from './reading/received-bytes.ts';
import { readAgain } from './reading/second-reading.ts';
import { Reception } from './reception.ts';
import {
  defaultMaxBodyBytes,
  defaultMaxFrames,
  shownHeaders,
  type WireOptions,
  type WireRequest,
} from './request.ts';

/** A received frame, with its secrets masked. */
export interface Frame {
  readonly text: string;
  /** Parsed text. Undefined if the text is not JSON. */
  readonly json: unknown;
}

/** Timeout of a pong, in milliseconds. Clients that wait for a pong close the connection by then. */
const pongPatienceMs = 20_000;

/** Milliseconds to wait for the gateway's closing frame before the connection is destroyed. */
const closingPatienceMs = 2_000;

export class Conversation {
  readonly #request: WireRequest;
  readonly #options: WireOptions;
  readonly #host: string;
  readonly #started: number;
  readonly #socket: WebSocket;
  readonly #maxBytes: number;
  readonly #answer: Reception;
  readonly #frames: SocketFrame[] = [];
  readonly #echoed = new Set<string>();
  /** Called at every event of the socket. */
  readonly #waiting = new Set<() => void>();
  /** Position after the last frame that `receive` has taken. */
  #taken = 0;
  #receivedBytes = 0;
  /** Number of received frames, control frames included. */
  #receivedFrames = 0;
  /** Number of lines and values in the received frames. */
  #things = 0;
  #received: ReceivedBytes | null = null;
  #connection: Socket | null = null;
  #opening: Opening | null = null;
  /** The `Sec-WebSocket-Key` of the request. */
  #key = '';
  #opened = false;
  #ended: number | null = null;
  #closing = false;
  #ponged: boolean | null = null;
  #close: { code: number; reason: string; by: 'us' | 'gateway' } | null = null;
  #failure: ExchangeFailure | null = null;

  constructor(request: WireRequest, options: WireOptions) {
    this.#request = request;
    this.#options = options;
    this.#host = addressOf(request.url).host;
    this.#maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    this.#answer = new Reception({
      maxBytes: this.#maxBytes,
      maxThings: options.maxThings,
      maxHeaderBytes: options.maxHeaderBytes,
      cut: null,
      onFirstEvent: null,
    });
    this.#started = options.clock.now();
    this.#socket = new WebSocket(request.url, {
      headers: Object.fromEntries(request.headers),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: this.#maxBytes,
      maxHeaderSize: mostHeaderBytes,
      ...ownBounds,
      createConnection: connectingLater((connected) => {
        this.#opening = openConnection(
          addressOf(request.url).origin,
          (...result) => {
            if (result[0] === null) {
              this.#connection = result[1];
              this.#received = new ReceivedBytes(result[1]);
            }
            connected(...result);
          },
          { routes: options.routes ?? {}, tunnels: true },
        );
      }),
      finishRequest: (handshake) => {
        this.#key = String(handshake.getHeader('sec-websocket-key'));
        handshake.end();
      },
    });
    this.#socket
      .on('upgrade', (answer) => this.#head(answer))
      .on('unexpected-response', (_request, answer) => this.#refused(answer))
      .on('open', () => this.#open())
      .on('message', (data, isBinary) => this.#message(data, isBinary))
      .on('ping', () => this.#countFrame())
      .on('pong', () => this.#pong())
      .on('error', (error) => this.#error(error))
      .on('close', (code, reason) => this.#closed(code, reason));
  }

  get opened(): boolean {
    return this.#opened;
  }

  /** Waits until the socket is open or the handshake has failed. */
  async handshake(): Promise<void> {
    await this.#until(
      () => this.#opened || this.#ended !== null,
      'had not responded to the upgrade',
    );
  }

  send(frame: object | string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const binary = frame instanceof Uint8Array;
    const data = binary
      ? Uint8Array.from(frame)
      : Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame));
    this.#frames.push({
      from: 'us',
      at: this.#options.clock.now(),
      kind: binary ? 'binary' : 'text',
      data,
    });
    this.#socket.send(data, { binary });
  }

  async receive(until: (frame: Frame) => boolean): Promise<void> {
    const enough = (): boolean => {
      while (this.#taken < this.#frames.length) {
        const frame = this.#frames[this.#taken++];
        if (frame?.from === 'gateway' && until(frameOf(frame))) return true;
      }
      return this.#ended !== null;
    };
    await this.#until(enough, 'had not sent the frame that was waited for');
  }

  /** Sends a ping, and waits for its pong. A missing pong is recorded, and does not end the conversation. */
  async ping(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#ponged = false;
    this.#socket.ping();
    let isOver = false;
    const { timeoutMs } = this.#options;
    const patience = new Deadline(Math.min(pongPatienceMs, timeoutMs), () => {
      isOver = true;
      this.#wake();
    });
    const settled = endSoonAfterStop(this.#options, this.#host, (failure) => this.#fail(failure));
    await this.#happening(() => isOver || this.#ponged === true || this.#ended !== null);
    settled();
    patience.clear();
    if (this.#ended !== null && !this.#ponged) this.#ponged = null;
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return;
    this.#closing = true;
    this.#socket.close(1000);
    const patienceMs = Math.min(closingPatienceMs, this.#options.timeoutMs);
    const patience = new Deadline(patienceMs, () => this.#socket.terminate());
    await this.#happening(() => this.#ended !== null);
    patience.clear();
  }

  terminate(
    why: ExchangeFailure = { kind: 'cut', message: 'the WebSocket was cut on purpose' },
  ): void {
    this.#fail(why);
  }

  async exchange(): Promise<Exchange> {
    await this.close();
    const { id, about, method, url, shownUrl = url, body } = this.#request;
    const { response, failure } = withheldIfCoded(this.#answer.response());
    return redactExchange(
      {
        id,
        about,
        request: { method, url: shownUrl, headers: upgradeHeaders(this.#request), body },
        response,
        socket: this.#opened ? this.#transcript() : null,
        failure: this.#failure ?? failure,
        times: {
          started: this.#started,
          headers: this.#answer.headersAt,
          ended: this.#ended ?? this.#options.clock.now(),
        },
        echoed: [...this.#echoed],
        ...withPeer(this.#connection),
      },
      this.#options.secrets,
    );
  }

  #transcript(): SocketTranscript {
    const ponged = this.#ponged === null ? {} : { ponged: this.#ponged };
    return { frames: this.#frames, close: this.#close, ...ponged };
  }

  /** Waits for a condition. The exchange fails if the timeout elapses first. */
  async #until(done: () => boolean, missing: string): Promise<void> {
    const { timeoutMs } = this.#options;
    const timeOut = (): void => {
      const message = `${this.#host} ${missing} after ${timeoutMs} ms`;
      this.#fail({ kind: 'timeout', message });
    };
    const deadline = new Deadline(timeoutMs, timeOut);
    const settled = endSoonAfterStop(this.#options, this.#host, (failure) => this.#fail(failure));
    try {
      await this.#happening(() => {
        const isDone = done();
        if (!isDone) deadline.look();
        return isDone;
      });
    } finally {
      settled();
      deadline.clear();
    }
  }

  async #happening(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #head(answer: IncomingMessage): void {
    const headers = headerLines(answer.rawHeaders);
    this.#answer.head(answer.statusCode ?? 0, headers, this.#options.clock.now());
  }

  /** Reads an ordinary answer to the upgrade to the end of its body. */
  #refused(answer: IncomingMessage): void {
    this.#head(answer);
    const tooLarge = (): void => {
      decoder.destroy();
      const what = this.#answer.over ?? `its body is larger than ${this.#maxBytes} bytes`;
      this.#tooLarge(`the response to the upgrade: ${what}`);
    };
    const decoder = new BodyDecoder(headerLines(answer.rawHeaders), this.#maxBytes, {
      piece: (piece) => {
        if (this.#ended !== null) decoder.destroy();
        else if (this.#answer.piece(piece, this.#options.clock.now()) !== null) tooLarge();
      },
      end: () => {
        this.#answer.complete = true;
        this.#end();
        this.#socket.terminate();
      },
      tooLarge,
      undecodable: (failure) => this.#fail(failure),
    });
    answer
      .on('data', (piece: Buffer) => decoder.write(piece))
      .on('end', () => decoder.end())
      .on('error', (error) => this.#error(error));
  }

  #open(): void {
    this.#opened = true;
    this.#answer.complete = true;
    this.#wake();
  }

  #message(data: WebSocket.RawData, isBinary: boolean): void {
    if (this.#failure !== null) return;
    const bytes = Array.isArray(data)
      ? Buffer.concat(data)
      : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
    this.#receivedBytes += bytes.length;
    this.#countFrame();
    if (this.#failure !== null) return;
    const meter = new Meter(false);
    for (const byte of bytes) meter.see(byte);
    this.#things += meter.things;
    const over = overBound(
      { deepest: meter.deepest, things: this.#things },
      this.#options.maxThings ?? mostThings,
    );
    if (over !== null) {
      this.#tooLarge(`a frame: ${over}`);
      return;
    }
    this.#frames.push({
      from: 'gateway',
      at: this.#options.clock.now(),
      kind: isBinary ? 'binary' : 'text',
      data: redactBytes(bytes, this.#options.secrets, this.#echoed),
    });
    if (this.#receivedBytes > this.#maxBytes) this.#tooLarge(`more than ${this.#maxBytes} bytes`);
    this.#wake();
  }

  #pong(): void {
    if (this.#ponged !== null) this.#ponged = true;
    this.#countFrame();
    this.#wake();
  }

  #countFrame(): void {
    const { maxFrames = defaultMaxFrames } = this.#options;
    if (++this.#receivedFrames > maxFrames) this.#tooLarge(`more than ${maxFrames} frames`);
  }

  #tooLarge(what: string): void {
    const came = `${this.#receivedFrames} frames with ${this.#receivedBytes} bytes had come`;
    this.#fail({
      kind: 'too-large',
      message: `reading stopped at a bound of Touchstone: ${what}; ${came}`,
    });
  }

  #error(error: Error): void {
    if (this.#failure !== null || this.#ended !== null) return;
    const { status } = this.#answer;
    const upgraded = status === 101 && !this.#opened;
    const failure: ExchangeFailure =
      upgraded && !('code' in error)
        ? {
            kind: 'not-http',
            message: `${this.#host} agreed to a WebSocket, but its handshake is wrong: ${error.message}`,
          }
        : failureOf(error, { host: this.#host, status, bytes: this.#answer.bytes });
    this.#fail(readAgain(failure, this.#received, this.#key));
  }

  #closed(code: number, reason: Buffer): void {
    // Code 1006 is never sent: it stands for a connection that ended without a closing frame.
    if (code !== 1006) {
      this.#close = { code, reason: reason.toString(), by: this.#closing ? 'us' : 'gateway' };
    } else if (!this.#closing && this.#ended === null) {
      this.#failure ??= {
        kind: 'reset',
        message: `${this.#host} broke the WebSocket without a closing frame`,
      };
    }
    this.#end();
  }

  #fail(failure: ExchangeFailure): void {
    if (this.#ended !== null) return;
    this.#failure = failure;
    this.#end();
    this.#opening?.destroy();
    this.#socket.terminate();
  }

  #end(): void {
    this.#ended ??= this.#options.clock.now();
    this.#wake();
  }
}

/**
 * Disables the bound of pending pongs. ws closes the connection if pings arrive faster than it answers them, and the
 * record would blame the gateway. The number of frames is bounded here instead. The types of ws lack the option.
 */
const ownBounds = { maxPendingAutoPongs: 0 };

/** A recorded frame in the form in which `receive` passes it. */
export function frameOf({ data }: SocketFrame): Frame {
  const text = Buffer.from(data).toString();
  return { text, json: parsed(text) };
}

/** Node's HTTP client, which ws uses, accepts a connection that is delivered later. The types of ws lack this form. */
function connectingLater(open: (connected: Connected) => void): typeof createConnection {
  const later = (_options: unknown, connected: Connected): void => open(connected);
  return later as unknown as typeof createConnection;
}

function upgradeHeaders(request: WireRequest): HeaderLines {
  return [
    ...shownHeaders(request),
    // The nonce of the handshake is left out, because it differs each time and has no meaning.
    ['Sec-WebSocket-Version', '13'],
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Host', addressOf(request.url).host],
  ];
}
