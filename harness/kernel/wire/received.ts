import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type About,
  type Exchange,
  type ExchangeFailure,
  type ExchangeId,
  type HeaderLines,
  Meter,
  mostThings,
  overBound,
} from '../core/index.ts';
import { redactExchange, type Secrets } from '../redaction/index.ts';
import type { Clock } from './clock.ts';
import { BodyDecoder, withheldIfCoded } from './coding.ts';
import { Growing } from './growing.ts';
import { headerLines } from './header-lines.ts';
import { HeardSocket } from './reading/socket-messages.ts';
import { Reception } from './reception.ts';
import { defaultMaxBodyBytes } from './request.ts';

// Server side of `send` and `openSocket`: records the request that a server received and its answer in the same
// form. Does not delay the server, which still sees every byte.

export interface ReceivedOptions {
  readonly id: ExchangeId;
  readonly about: About;
  /** Scheme and host that the client uses: `http://127.0.0.1:4000`. */
  readonly origin: string;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Bound of the request body and of the answer body. */
  readonly maxBodyBytes?: number;
}

export interface Receiving {
  /** True when the request has arrived in full, false if its client disconnected before. */
  readonly wholeRequest: Promise<boolean>;
  /** The body received so far. */
  readonly body: Uint8Array;
  /** Resolves when the answer is written or the connection is closed. Never rejects. */
  readonly ended: Promise<Exchange>;
}

/**
 * Records a request and its answer. To be called in the tick in which the server receives both, before anything
 * reads or writes. A request over a bound loses its connection.
 */
export function received(
  request: IncomingMessage,
  out: ServerResponse,
  options: ReceivedOptions,
): Receiving {
  const { clock, maxBodyBytes = defaultMaxBodyBytes } = options;
  const started = clock.now();
  const body = new Growing(maxBodyBytes);
  const meter = new Meter(false);
  const wholeRequest = new Promise<boolean>((resolve) => {
    const seen = (piece: Uint8Array | null): void => {
      // The parser ends a message with null.
      for (const code of piece ?? []) meter.see(code);
      if (piece === null) resolve(true);
      else if (body.hasRoom && overBound(meter, mostThings) === null) body.add(piece);
      else request.destroy();
    };
    tapReads(request, seen, true);
    request.once('close', () => resolve(request.complete));
  });
  const left = whoLeft(request.socket);
  const reception = new Reception({ maxBytes: maxBodyBytes, cut: null, onFirstEvent: null });
  let failure: ExchangeFailure | null = null;
  let decoder: BodyDecoder | null = null;
  const decoded = new Promise<void>((resolve) => {
    const lose = (found: ExchangeFailure): void => {
      failure ??= found;
      decoder?.destroy();
      resolve();
    };
    const message = `more than ${maxBodyBytes} bytes were answered`;
    const tooLarge = (): void => lose({ kind: 'too-large', message });
    const head = (status: number, headers: HeaderLines): void => {
      reception.head(status, headers, clock.now());
      const piece = (bytes: Uint8Array): void => {
        if (reception.piece(bytes, clock.now()) !== null) tooLarge();
      };
      decoder = new BodyDecoder(headers, maxBodyBytes, {
        piece,
        end: resolve,
        tooLarge,
        undecodable: lose,
      });
    };
    tapAnswer(out, head, (piece) => decoder?.write(piece));
    out.once('close', () => {
      if (decoder === null) resolve();
      else decoder.end();
    });
  });
  const closed = new Promise<number>((resolve) => out.once('close', () => resolve(clock.now())));
  const ended = closed.then(async (at) => {
    await decoded;
    reception.complete = out.writableFinished;
    const answer = withheldIfCoded(reception.response());
    const broken = out.writableFinished ? null : brokenBy(left(), request.complete);
    const { id, about, origin, secrets } = options;
    return redactExchange(
      {
        id,
        about,
        request: {
          method: request.method ?? '',
          url: `${origin}${request.url ?? ''}`,
          headers: headerLines(request.rawHeaders),
          body: body.length === 0 ? null : body.copy(),
        },
        response: answer.response,
        socket: null,
        failure: broken ?? failure ?? answer.failure,
        times: { started, headers: reception.headersAt, ended: at },
        echoed: [],
      },
      secrets,
    );
  });
  return {
    wholeRequest,
    get body() {
      return body.copy();
    },
    ended,
  };
}

/**
 * Records an upgrade and the conversation over its socket. To be called in the tick of the server's `upgrade`
 * event, before anything reads or writes. Resolves when the connection has closed.
 *
 * @param head bytes of the client after its request
 */
export function receivedUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Uint8Array,
  { id, about, origin, clock, secrets, maxBodyBytes = defaultMaxBodyBytes }: ReceivedOptions,
): Promise<Exchange> {
  const started = clock.now();
  const heard = new HeardSocket(maxBodyBytes);
  heard.sent(head, started);
  tapReads(socket, (piece) => heard.sent(piece ?? new Uint8Array(), clock.now()));
  tapWrites(socket, (piece) => heard.answered(piece, clock.now()));
  const left = whoLeft(socket);
  return new Promise((resolve) => {
    socket.once('close', () => {
      const { headers, ...said } = heard.conversation();
      const isCut = said.socket !== null && said.socket.close === null;
      const broken = isCut ? brokenBy(left(), true) : null;
      const exchange: Exchange = {
        id,
        about,
        request: {
          method: request.method ?? '',
          url: `${origin.replace(/^http/, 'ws')}${request.url ?? ''}`,
          headers: headerLines(request.rawHeaders),
          body: null,
        },
        ...said,
        failure: said.failure ?? broken,
        times: { started, headers, ended: clock.now() },
        echoed: [],
      };
      resolve(redactExchange(exchange, secrets));
    });
  });
}

/** Observes the data of a stream in `push`. All data passes through it, in flowing and in paused mode. */
function tapReads(
  from: IncomingMessage | Duplex,
  seen: (piece: Uint8Array | null) => void,
  takesAll = false,
): void {
  const push = from.push.bind(from);
  from.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (piece === null || Buffer.isBuffer(piece)) seen(piece);
    // Returning true makes the source continue although nothing reads yet.
    return push(piece, encoding) || takesAll;
  };
}

function tapAnswer(
  out: ServerResponse,
  head: (status: number, headers: HeaderLines) => void,
  piece: (piece: Uint8Array) => void,
): void {
  const { writeHead } = out;
  // Every answer begins with this call, even if the handler uses a shorthand of the library.
  out.writeHead = (status: number, ...rest: unknown[]) => {
    const given = rest.find((one) => typeof one === 'object' && one !== null);
    const own = linesOf(given);
    const named = new Set(own.map(([name]) => name.toLowerCase()));
    const before = linesOf(out.getHeaders()).filter(([name]) => !named.has(name.toLowerCase()));
    if (status >= 200 || status === 101) head(status, [...before, ...own]);
    return Reflect.apply(writeHead, out, [status, ...rest]);
  };
  tapWrites(out, piece);
}

/** Headers in any form that Node accepts. */
function linesOf(headers: unknown): HeaderLines {
  if (Array.isArray(headers)) {
    const isFlat = headers.every((one) => !Array.isArray(one));
    return headerLines(isFlat ? headers : headers.flat());
  }
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => [name, String(one)] as const),
  );
}

function tapWrites(to: Duplex | ServerResponse, seen: (piece: Uint8Array) => void): void {
  const tapped = (own: Duplex['write'] | Duplex['end'] | ServerResponse['end']) => {
    return (...given: unknown[]): unknown => {
      const [piece, encoding] = given;
      if (typeof piece === 'string') {
        const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
        seen(Buffer.from(piece, isNamed ? encoding : 'utf8'));
      } else if (piece instanceof Uint8Array) {
        seen(piece);
      }
      return Reflect.apply(own, to, given);
    };
  };
  Object.assign(to, { write: tapped(to.write), end: tapped(to.end) });
}

const leftFirst = new WeakMap<Duplex, { by: 'client' | 'server' }>();

/**
 * Returns which side ended the connection, as far as the socket shows. The requests of a kept connection share this
 * record.
 */
function whoLeft(socket: Duplex): () => 'client' | 'server' {
  const known = leftFirst.get(socket);
  if (known !== undefined) return () => known.by;
  // A connection that is destroyed locally emits neither of these events.
  const left: { by: 'client' | 'server' } = { by: 'server' };
  leftFirst.set(socket, left);
  const gone = (): void => {
    left.by = 'client';
  };
  socket.once('end', gone).once('error', gone);
  return () => left.by;
}

function brokenBy(side: 'client' | 'server', wasWhole: boolean): ExchangeFailure {
  if (side === 'server') {
    return { kind: 'cut', message: 'the server cut the connection before the answer was whole' };
  }
  const when = wasWhole ? 'before the answer was whole' : 'before its request was whole';
  return { kind: 'reset', message: `the client left ${when}` };
}
