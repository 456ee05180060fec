import { createHash } from 'node:crypto';
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ReferenceGateway } from '../../reference/index.ts';
import type { Attack } from './attack.ts';
import { Draws } from './chance.ts';
import { answerWith, RawWire, type Sound } from './wire.ts';

interface HostileOptions {
  readonly gateway: ReferenceGateway;
  readonly attacks: readonly Attack[];
  readonly seed: number;
  /** Inverse of the share of answers that are spoiled; 1: all. */
  readonly every: number;
  /**
   * Number of requests that are answered correctly at first: a gateway that cannot be recognised is not judged at all.
   */
  readonly sparing: number;
}

interface HostileGateway {
  /** In the place of the addresses of the gateway, in their order. */
  readonly urls: readonly string[];
  /** Answers that were spoiled, by the ids of the attacks. */
  readonly spoiled: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startHostile(options: HostileOptions): Promise<HostileGateway> {
  const { gateway } = options;
  const proxy = new HostileProxy(options);
  const servers = await Promise.all(gateway.regions.map(({ baseUrl }) => proxy.listen(baseUrl)));
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    spoiled: proxy.spoiled,
    close: async () => {
      proxy.end();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

type Kind = 'json' | 'stream' | 'other' | 'upgrade';

class HostileProxy {
  readonly spoiled = new Map<string, number>();
  readonly #options: HostileOptions;
  readonly #sockets = new Set<Duplex>();
  readonly #asked = new Map<string, number>();
  #requests = 0;

  constructor(options: HostileOptions) {
    this.#options = options;
  }

  async listen(base: string): Promise<Server> {
    const { hostname, port } = new URL(base);
    const to = { hostname, port: Number(port) };
    const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
      const pieces: Buffer[] = [];
      // The request decides if its answer is spoiled, and not the order of arrival.
      request
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => {
          const body = Buffer.concat(pieces);
          const draws = this.#drawsFor(request, body);
          const { method, url: path } = request;
          const back = ask({ ...to, method, path, headers: [...request.rawHeaders], agent: false });
          back.on('response', (answer) => {
            if (draws !== null) return void this.#spoil(request, answer, response.socket, draws);
            response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
            answer.on('error', () => response.destroy()).pipe(response);
          });
          back.on('error', () => response.destroy());
          response.on('close', () => back.destroy());
          back.end(body);
        });
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      // Clients that stop reading reset the connection.
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (_error, socket) => void socket.destroy());
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, first: Buffer) => {
      const draws = this.#drawsFor(request, nothing.body);
      const attack = draws === null ? null : this.#drawn('upgrade', draws);
      if (draws !== null && attack !== null) {
        return void this.#attack(attack, socket, { ...nothing, accept: acceptOf(request) }, draws);
      }
      const back = connect(to.port, to.hostname);
      back.on('error', () => socket.destroy());
      socket.on('error', () => back.destroy()).on('close', () => back.destroy());
      back.write(`${request.method} ${request.url} HTTP/1.1\r\n${rawHeaders(request)}\r\n`);
      back.write(first);
      back.pipe(socket).pipe(back);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Returns the draws for a request, or null if its answer is not spoiled. */
  #drawsFor({ method = '', url = '' }: IncomingMessage, body: Buffer): Draws | null {
    const { sparing, every, seed } = this.#options;
    const what = `${method} ${url} ${createHash('sha256').update(body).digest('hex')}`;
    const before = this.#asked.get(what) ?? 0;
    this.#asked.set(what, before + 1);
    const draws = new Draws(seed, what, String(before));
    return ++this.#requests > sparing && draws.below(every) === 0 ? draws : null;
  }

  async #spoil(
    request: IncomingMessage,
    answer: IncomingMessage,
    socket: Duplex | null,
    draws: Draws,
  ): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of answer) pieces.push(piece);
    } catch {
      // The client has left, or the gateway has ended: the answer is as long as it is.
    }
    if (socket === null) return;
    const pairs = answer.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [[name, all[at + 1] ?? ''] as const] : [],
    );
    const sound: Sound = {
      status: answer.statusCode ?? 500,
      headers: pairs,
      body: Buffer.concat(pieces),
      keys: this.#keysOf(request),
      accept: '',
    };
    const type = answer.headers['content-type'] ?? '';
    const kind = type.includes('event-stream')
      ? 'stream'
      : type.includes('json')
        ? 'json'
        : 'other';
    const attack = this.#drawn(kind, draws);
    // If no attack fits, the answer is passed on unchanged.
    if (attack === null) await answerWith(new RawWire(socket), sound, sound.body);
    else await this.#attack(attack, socket, sound, draws);
  }

  #drawn(kind: Kind, draws: Draws): Attack | null {
    const fitting = this.#options.attacks.filter(({ to }) =>
      kind === 'upgrade'
        ? to === 'upgrade'
        : to === 'any' || to === kind || (to === 'json' && kind === 'stream'),
    );
    return fitting.length === 0 ? null : draws.one(fitting);
  }

  async #attack(attack: Attack, socket: Duplex, sound: Sound, draws: Draws): Promise<void> {
    this.spoiled.set(attack.id, (this.spoiled.get(attack.id) ?? 0) + 1);
    await attack.spoil(new RawWire(socket), sound, draws);
  }

  #keysOf({ rawHeaders: lines }: IncomingMessage): string[] {
    const { keys } = this.#options.gateway;
    return Object.values(keys).filter((key) => lines.some((line) => line.includes(key)));
  }
}

const nothing = { status: 101, headers: [], body: Buffer.alloc(0), keys: [] };

function rawHeaders({ rawHeaders: lines }: IncomingMessage): string {
  return lines.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}

function acceptOf({ headers }: IncomingMessage): string {
  return createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
}
