import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ExchangeFailure, ExchangeId } from '../../kernel/core/index.ts';
import { type Clock, connectDirectly, isOwnHost, type Routes } from '../../kernel/wire/index.ts';
import { type Framing, framedBy, type Head, HttpReader } from './http-reader.ts';
import type { Seen } from './label.ts';
import { Passing } from './passing.ts';

interface ConnectionOptions {
  /** Scheme, host and port of the gateway. */
  readonly origin: string;
  /** TLS settings for the gateway. Proxies are not used. */
  readonly routes?: Routes;
  readonly clock: Clock;
  /** Names of the proxy in addition to those of this machine, in lower case. */
  readonly hosts: ReadonlySet<string>;
  nextId(): ExchangeId;
  began(): void;
  seen(exchange: Seen): void;
  say(what: string): void;
}

/**
 * Forwards one connection of a client over one to the gateway. Bytes and ends are passed on as they arrive, in both
 * directions. Only the name of the host is replaced. The bytes are also parsed for the record.
 */
export class ProxiedConnection {
  readonly #options: ConnectionOptions;
  readonly #client: Socket;
  readonly #gateway: Socket;
  readonly #asking: HttpReader;
  readonly #answering: HttpReader;
  /** Exchanges without a complete answer, the oldest first. */
  #open: Passing[] = [];
  /** Exchange whose request is arriving. */
  #asked: Passing | null = null;
  #isReached = false;
  /** True once the client has closed: a broken connection is then not the gateway's fault. */
  #hasLeft = false;
  #isInterim = false;
  /** True after a request for another host: nothing is passed on any more. */
  #isRefused = false;

  constructor(client: Socket, options: ConnectionOptions) {
    this.#options = options;
    this.#client = client.setNoDelay(true);
    this.#gateway = connectDirectly(options.origin, { routes: options.routes ?? {} });
    const ready = /^https:/i.test(options.origin) ? 'secureConnect' : 'connect';
    this.#gateway.once(ready, () => {
      this.#isReached = true;
    });
    this.#asking = new HttpReader({
      head: (head) => this.#requestBegins(head),
      payload: (bytes) => this.#asked?.asks(bytes),
      end: () => this.#requestEnds(),
      switched: (bytes) => this.#conversation()?.asks(bytes),
    });
    this.#answering = new HttpReader({
      head: (head) => ({ framing: this.#answerBegins(head), bytes: head.bytes }),
      payload: (bytes) => this.#open[0]?.answers(bytes),
      end: () => this.#answerEnds(),
      switched: (bytes) => this.#conversation()?.answers(bytes),
    });
    this.#relay(this.#client, this.#gateway);
  }

  /** Ends both connections. Exchanges in flight are reported with the data received so far. */
  close(): void {
    this.#over('the observation ended before', 'interrupted');
    this.#client.destroy();
    this.#gateway.destroy();
  }

  #relay(client: Socket, gateway: Socket): void {
    client.on('data', (piece) => {
      const read = this.#isRefused ? piece : this.#asking.read(piece);
      if (!this.#isRefused) pass(read, client, gateway);
    });
    gateway.on('data', (piece) => {
      // Passes bytes on before parsing them, so that parsing adds no delay.
      pass(piece, gateway, client);
      this.#answering.read(piece);
    });
    client.on('end', () => {
      this.#hasLeft = true;
      const held = this.#asking.switch();
      if (held.length > 0) gateway.write(held);
      gateway.end();
    });
    gateway.on('end', () => {
      if (!this.#hasLeft) this.#answering.ended();
      client.end();
      this.#over('the gateway closed the connection before the answer was whole', 'reset');
    });
    client.on('error', ({ message }) => {
      this.#over(`the client left: ${message}`, 'cut');
      reset(gateway);
    });
    gateway.on('error', ({ message }) => {
      if (!this.#isReached)
        this.#options.say(`${this.#options.origin} cannot be reached: ${message}`);
      this.#over(message, this.#isReached ? 'reset' : 'unreachable');
      reset(client);
    });
    client.on('close', () => {
      this.#over('the client left before the answer was whole', 'cut');
      if (!gateway.writableEnded) reset(gateway);
    });
    gateway.on('close', () => {
      this.#over('the gateway closed the connection before the answer was whole', 'reset');
      if (!client.destroyed && !client.writableEnded) reset(client);
    });
  }

  #requestBegins(head: Head) {
    const { origin, clock, nextId, began, hosts } = this.#options;
    const asked = head.headers.filter(([name]) => name.trim().toLowerCase() === 'host');
    const other = asked.find(([, host]) => !isOwnHost(host, hosts, this.#client));
    if (this.#isRefused || other !== undefined) return this.#refuse(other?.[1] ?? '');
    const passing = new Passing(nextId(), origin, head, clock);
    began();
    this.#asked = passing;
    this.#open.push(passing);
    const framing: Framing = framedBy(head.headers) ?? { by: 'nothing' };
    return { framing, bytes: withHost(head, new URL(origin).host) };
  }

  /** Refuses a page whose own name resolves to this machine (DNS rebinding). */
  #refuse(host: string) {
    const name = JSON.stringify(host.slice(0, 80));
    if (!this.#isRefused) {
      const message = `The proxy does not go by the name ${name}: start it with --allow-host NAME if that is its name.`;
      this.#options.say(`A request for the host ${name} was refused (421). ${message}`);
      const body = JSON.stringify({ error: { message } });
      this.#client.end(
        'HTTP/1.1 421 Misdirected Request\r\ncontent-type: application/json\r\n' +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      this.#hasLeft = true;
      this.#over('the client asked for another host on the same connection', 'cut');
      this.#gateway.destroy();
    }
    this.#isRefused = true;
    const framing: Framing = { by: 'switch' };
    return { framing, bytes: Buffer.alloc(0) };
  }

  #requestEnds(): void {
    const passing = this.#asked;
    this.#asked = null;
    if (passing === null) return;
    passing.isAsked = true;
    if (passing.isAnswered) this.#ended(passing, null);
  }

  #answerBegins(head: Head): Framing {
    const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(head.startLine)?.[1]);
    const passing = this.#open[0];
    this.#isInterim = status >= 100 && status < 200 && status !== 101;
    if (passing === undefined || !(status >= 100)) return { by: 'switch' };
    if (this.#isInterim) return { by: 'nothing' };
    passing.answerBegins(status, head);
    if (status === 101) {
      const held = this.#asking.switch();
      if (held.length > 0) this.#gateway.write(held);
      return { by: 'switch' };
    }
    if (passing.method === 'HEAD' || status === 204 || status === 304) return { by: 'nothing' };
    return framedBy(head.headers) ?? { by: 'end' };
  }

  #answerEnds(): void {
    const passing = this.#open[0];
    if (this.#isInterim || passing === undefined) return;
    passing.isAnswered = true;
    // The client of a refused request may still be sending.
    if (passing.isAsked) this.#ended(passing, null);
    else this.#open = this.#open.slice(1);
  }

  /** The WebSocket that the connection has become. */
  #conversation(): Passing | null {
    const [passing = null] = this.#open;
    return passing?.isSocket === true ? passing : null;
  }

  /** Ends the parsing. Exchanges in flight are reported with the data received so far. */
  #over(message: string, kind: ExchangeFailure['kind']): void {
    const left = new Set([...this.#open, ...(this.#asked === null ? [] : [this.#asked])]);
    this.#asked = null;
    const broken: ExchangeFailure =
      this.#hasLeft && kind === 'reset'
        ? { kind: 'cut', message: 'the client left before the answer was whole' }
        : { kind, message };
    for (const passing of left) this.#ended(passing, broken);
  }

  #ended(passing: Passing, broken: ExchangeFailure | null): void {
    this.#open = this.#open.filter((one) => one !== passing);
    void passing.ended(broken).then((seen) => this.#options.seen(seen));
  }
}

/** Passes bytes on, as fast as they are accepted. */
function pass(piece: Buffer, from: Socket, to: Socket): void {
  if (piece.length === 0 || !to.writable) return;
  if (to.write(piece)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** Breaks a connection like its counterpart, so that the reader does not mistake it for a regular end. */
function reset(socket: Socket): void {
  if (socket.destroyed) return;
  // A reset would wait for pending writes.
  if (socket instanceof TLSSocket || socket.connecting || socket.writableLength > 0)
    socket.destroy();
  else socket.resetAndDestroy();
}

/** Replaces the Host header of a head, and changes nothing else in it. */
function withHost({ bytes }: Head, host: string): Buffer {
  const text = bytes.toString('latin1');
  const named = text.replace(/^(host[ \t]*:[ \t]*)[^\r\n]*/gim, (_, name: string) => name + host);
  return Buffer.from(named, 'latin1');
}
