import type { ExchangeFailure, ExchangeId } from '../../kernel/core/index.ts';
import {
  BodyDecoder,
  type Clock,
  defaultMaxBodyBytes,
  Growing,
  HeardSocket,
  Reception,
  withheldIfCoded,
} from '../../kernel/wire/index.ts';
import type { Head } from './http-reader.ts';
import { valuesOf } from './http-reader.ts';
import type { Seen } from './label.ts';

const tooLarge: ExchangeFailure = {
  kind: 'cut',
  message: `of what is larger than ${defaultMaxBodyBytes} bytes only the beginning is looked at`,
};

/** Recording of an exchange in progress, which delays nothing. */
export class Passing {
  /** True once another exchange may follow on the connection. */
  isAnswered = false;
  isAsked = false;
  readonly method: string;
  readonly upgrades: boolean;
  readonly #id: ExchangeId;
  readonly #url: string;
  readonly #head: Head;
  readonly #clock: Clock;
  readonly #started: number;
  readonly #body = new Growing(defaultMaxBodyBytes);
  readonly #reception = new Reception({
    maxBytes: defaultMaxBodyBytes,
    cut: null,
    onFirstEvent: null,
  });
  #decoder: BodyDecoder | null = null;
  #failure: ExchangeFailure | null = null;
  #decoded: Promise<void> = Promise.resolve();
  #heard: HeardSocket | null = null;

  constructor(id: ExchangeId, origin: string, head: Head, clock: Clock) {
    const [method = '', path = ''] = head.startLine.split(' ');
    this.method = method;
    this.upgrades = valuesOf(head.headers, 'upgrade').includes('websocket');
    this.#id = id;
    this.#url =
      (this.upgrades ? origin.replace(/^http/i, 'ws') : origin) +
      (path.startsWith('/') ? path : `/${path}`);
    this.#head = head;
    this.#clock = clock;
    this.#started = clock.now();
  }

  get isSocket(): boolean {
    return this.#heard !== null;
  }

  /** `POST /v1/responses` */
  get inWords(): string {
    return `${this.method} ${this.#head.startLine.split(' ')[1]?.split('?')[0] ?? ''}`;
  }

  /** Adds a piece of the request's body, or of the client's data over a WebSocket. */
  asks(piece: Buffer): void {
    if (this.#heard !== null) this.#heard.sent(piece, this.#clock.now());
    else if (this.#body.hasRoom) this.#body.add(piece);
    else this.#failure ??= tooLarge;
  }

  answerBegins(status: number, head: Head): void {
    if (status === 101) {
      this.#heard = new HeardSocket(defaultMaxBodyBytes);
      this.#heard.answered(head.bytes, this.#clock.now());
      return;
    }
    this.#reception.head(status, head.headers, this.#clock.now());
    this.#decoded = new Promise((resolve) => {
      const lose = (failure: ExchangeFailure): void => {
        this.#failure ??= failure;
        this.#decoder?.destroy();
        resolve();
      };
      this.#decoder = new BodyDecoder(head.headers, defaultMaxBodyBytes, {
        piece: (piece) => {
          if (this.#reception.piece(piece, this.#clock.now()) !== null) lose(tooLarge);
        },
        end: resolve,
        tooLarge: () => lose(tooLarge),
        undecodable: lose,
      });
    });
  }

  answers(piece: Buffer): void {
    if (this.#heard !== null) this.#heard.answered(piece, this.#clock.now());
    else this.#decoder?.write(piece);
  }

  /**
   * Ends the exchange: everything has arrived, or nothing more will.
   *
   * @param broken null if it ended as its framing says
   */
  async ended(broken: ExchangeFailure | null): Promise<Seen> {
    const at = this.#clock.now();
    if (this.#heard !== null) return this.#conversation(this.#heard, at, broken);
    const { isAnswered } = this;
    // A body with a gap cannot be decoded to its end.
    if (broken === null || isAnswered) this.#decoder?.end();
    else this.#decoder?.destroy();
    if (broken === null || isAnswered) await this.#decoded;
    this.#reception.complete = isAnswered;
    const { response, failure } = withheldIfCoded(this.#reception.response());
    return {
      ...this.#asked(),
      response,
      socket: null,
      failure: (isAnswered ? null : broken) ?? this.#failure ?? failure,
      times: { started: this.#started, headers: this.#reception.headersAt, ended: at },
    };
  }

  #conversation(socket: HeardSocket, at: number, broken: ExchangeFailure | null): Seen {
    const { headers, ...said } = socket.conversation();
    const isClosed = said.socket?.close !== null;
    return {
      ...this.#asked(),
      ...said,
      failure: said.failure ?? (socket.isWhole ? null : tooLarge) ?? (isClosed ? null : broken),
      times: { started: this.#started, headers, ended: at },
    };
  }

  #asked(): Pick<Seen, 'id' | 'request'> {
    const body = this.#body.length === 0 ? null : this.#body.copy();
    const { headers } = this.#head;
    return { id: this.#id, request: { method: this.method, url: this.#url, headers, body } };
  }
}
