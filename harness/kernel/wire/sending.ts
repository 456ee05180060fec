import { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import type { Exchange, ExchangeFailure, HeaderLines, ReceivedResponse } from '../core/index.ts';
import { type Address, addressOf } from './address.ts';
import { BodyDecoder, withheldIfCoded } from './coding.ts';
import { Deadline } from './deadline.ts';
import { failureOf, type Progress } from './failure.ts';
import { endSoonAfterStop } from './grace.ts';
import { headerLines } from './header-lines.ts';
import type { AnswerHandler, Sent } from './http2-request.ts';
import { Line } from './line.ts';
import { withPeer } from './peer.ts';
import { shownProxy } from './proxies.ts';
import { readAgain } from './reading/second-reading.ts';
import { Reception } from './reception.ts';
import { defaultMaxBodyBytes, sentRequest, type WireOptions, type WireRequest } from './request.ts';
import { refusal } from './tunnel.ts';

/** Maximum number of informational answers before the final one. */
const mostInterim = 100;

/** One request in flight and its incoming answer, usually over a connection of its own. */
export class Sending implements Dispatcher.DispatchHandler, AnswerHandler {
  readonly #request: WireRequest;
  readonly #options: WireOptions;
  readonly #address: Address;
  readonly #maxBytes: number;
  readonly #reception: Reception;
  readonly #line: Line;
  /** Decoder of the body, or null until there are headers. */
  #decoder: BodyDecoder | null = null;
  /** End of the message. The decoder may still hold a part of its body. */
  #arrived: { readonly failure: ExchangeFailure | null } | null = null;
  /** True once the record is closed. */
  #over = false;
  #failure: ExchangeFailure | null = null;
  #settle: { resolve(): void; reject(error: Error): void } | null = null;
  #interim = 0;
  #deadline: Deadline | null = null;

  constructor(request: WireRequest, options: WireOptions) {
    this.#request = request;
    this.#options = options;
    this.#address = addressOf(request.url);
    this.#maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    this.#reception = new Reception({
      maxBytes: this.#maxBytes,
      maxThings: options.maxThings,
      maxHeaderBytes: options.maxHeaderBytes,
      cut: request.cut ?? null,
      onFirstEvent: request.onFirstEvent ?? null,
    });
    const { origin } = this.#address;
    const { over = null, offersHttp2 = false, isKept = false } = request;
    const { routes = {} } = options;
    this.#line =
      over === null
        ? new Line(origin, { isKept, offersHttp2, routes })
        : over.lineTo(origin, routes);
  }

  /**
   * Sends the request. To be called once.
   *
   * @throws {Error} when the request cannot be written as HTTP
   */
  async exchange(): Promise<Exchange> {
    const { clock, timeoutMs } = this.#options;
    const started = clock.now();
    const deadline = new Deadline(timeoutMs, () => this.#timeOut());
    this.#deadline = deadline;
    const settled = endSoonAfterStop(this.#options, this.#address.host, (failure) =>
      this.#close(failure),
    );
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#line.send(this.#sent(), this);
      });
    } finally {
      settled();
      deadline.clear();
      this.#destroy();
    }
    const { response, failure } = this.#answer();
    return {
      id: this.#request.id,
      about: this.#request.about,
      request: sentRequest(this.#request),
      response: response === null ? null : { ...response, ...this.#transport() },
      socket: null,
      failure: this.#failure ?? failure,
      times: { started, headers: this.#reception.headersAt, ended: clock.now() },
      echoed: [],
      ...withPeer(this.#line.socket),
    };
  }

  /** Returns the answer of the gateway. If a proxy answered instead, returns a failure of the proxy. */
  #answer(): Pick<Exchange, 'response' | 'failure'> {
    const { forwardProxy } = this.#line;
    if (this.#reception.status === 407 && forwardProxy !== null) {
      const message = `the proxy ${shownProxy(forwardProxy)} ${refusal(407, '', this.#address.host)}`;
      return { response: null, failure: { kind: 'proxy', message } };
    }
    return withheldIfCoded(this.#reception.response());
  }

  #transport(): Pick<ReceivedResponse, 'over'> {
    if (this.#line.isHttp2) return { over: 'http/2' };
    return this.#line.isReused ? { over: 'kept connection' } : {};
  }

  /** undici recognises a handler of the current form by this method. */
  onRequestStart(): void {}

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Interim answers precede the final one.
    if (status >= 200) this.onAnswer(status, headerLines(controller.rawHeaders));
    else if (++this.#interim > mostInterim) {
      this.#tooLarge(`more than ${mostInterim} informational answers came before one that counts`);
    }
  }

  onAnswer(status: number, headers: HeaderLines): void {
    if (this.#reception.head(status, headers, this.#options.clock.now()) !== null) {
      this.#tooLarge();
      return;
    }
    this.#decoder = new BodyDecoder(headers, this.#maxBytes, {
      piece: (piece) => this.#piece(piece),
      end: () => this.#close(this.#arrived?.failure ?? null),
      tooLarge: () => this.#tooLarge(),
      // If the message was cut short, that failure takes precedence.
      undecodable: (failure) => this.#close(this.#arrived?.failure ?? failure),
    });
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    // The parser is not paused while the decoder works, because undici's parser cannot be ended while it is paused.
    if (!this.#over) this.#decoder?.write(piece);
  }

  onResponseEnd(): void {
    // A body without a length ends with its connection. A reset is not a valid end.
    if (this.#line.socketError !== null) {
      this.#end(failureOf(this.#line.socketError, this.#progress()));
      return;
    }
    this.#reception.complete = true;
    this.#end(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (error instanceof errors.InvalidArgumentError) this.#settle?.reject(error);
    else
      this.#end(
        readAgain(
          failureOf(this.#line.socketError ?? error, this.#progress()),
          this.#line.received,
        ),
      );
  }

  #sent(): Sent {
    const { method, headers, body, cutRequestAfterBytes } = this.#request;
    const cut = cutRequestAfterBytes !== undefined && body !== null && body.length > 0;
    return {
      path: this.#address.target,
      method,
      headers: cut ? [...headers, ['content-length', String(body.length)]] : headers,
      body: cut ? Readable.from(this.#beginning(body, cutRequestAfterBytes)) : body,
    };
  }

  /** Yields the first bytes of a body, and then breaks the connection. */
  async *#beginning(body: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
    const sent = Math.min(Math.max(bytes, 1), body.length);
    yield body.subarray(0, sent);
    // The callback runs when the preceding bytes have been written.
    await new Promise<void>((resolve) => this.#line.socket?.write('', () => resolve()));
    this.#cut(`${sent} of ${body.length} bytes of the request's body had been sent`);
  }

  #piece(piece: Uint8Array): void {
    if (this.#over) return;
    const stop = this.#reception.piece(piece, this.#options.clock.now());
    if (stop === 'cut') this.#cut(`${this.#request.cut?.events} events had come`);
    if (stop === 'too-large') this.#tooLarge();
    if (stop === null) this.#deadline?.look();
  }

  #timeOut(): void {
    const { timeoutMs } = this.#options;
    const message = `${this.#address.host} had not responded in full after ${timeoutMs} ms`;
    this.#close({ kind: 'timeout', message });
  }

  /** Ends the exchange because a bound was exceeded. The decoder may not have decoded anything yet. */
  #tooLarge(
    what = this.#reception.over ?? `the coded body is larger than ${this.#maxBytes} bytes`,
  ): void {
    const came = `${this.#reception.bytes} bytes of the body had been read`;
    this.#close({
      kind: 'too-large',
      message: `reading stopped at a bound of Touchstone: ${what}; ${came}`,
    });
  }

  #cut(when: string): void {
    this.#close({ kind: 'cut', message: `cut on purpose, when ${when}` });
  }

  /** Ends the message. Received data is decoded to its end before the record is closed. */
  #end(failure: ExchangeFailure | null): void {
    if (this.#arrived !== null) return;
    this.#arrived = { failure };
    if (this.#decoder === null) this.#close(failure);
    else this.#decoder.end();
  }

  #close(failure: ExchangeFailure | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    this.#destroy();
    this.#settle?.resolve();
  }

  #progress(): Progress {
    const { host } = this.#address;
    return { host, status: this.#reception.status, bytes: this.#reception.bytes };
  }

  #destroy(): void {
    this.#decoder?.destroy();
    // A connection can only be reused after an exchange without a failure.
    if (this.#request.over == null || this.#failure !== null) this.#line.close();
  }
}
