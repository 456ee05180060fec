import type { Exchange } from '../core/index.ts';
import { addressOf } from './address.ts';
import { KeptConnection } from './line.ts';
import type { WireOptions, WireRequest } from './request.ts';
import { send } from './transport.ts';

/**
 * Idle time after which a connection is not reused, in milliseconds. Servers close idle connections after two
 * seconds or more. If a server names another time (`Keep-Alive: timeout=…`), undici observes it.
 */
const youngMs = 1_000;

/** Number of broken kept connections after which no more are kept for an origin. */
const mostClosed = 3;

interface Idle {
  readonly connection: KeptConnection;
  readonly since: number;
}

/**
 * Reuses connections for consecutive requests, as most clients do: a request takes any that is free. Each request
 * is still sent exactly once.
 *
 * If a kept connection breaks before any byte of the answer, the gateway may have closed it before it saw the
 * request, or broken it on receipt. The cause is unknown, so nothing is reported.
 */
export class Connections {
  readonly #idle = new Map<string, Idle[]>();
  /** Number of kept connections that were found broken, by origin. */
  readonly #closed = new Map<string, number>();

  /** Sends a request like `send` of `transport.ts`, over a kept connection if one is free. */
  async send(request: WireRequest, options: WireOptions): Promise<Exchange> {
    if (request.over !== undefined || request.offersHttp2 === true) {
      return send(request, options);
    }
    const { origin } = addressOf(request.url);
    if ((this.#closed.get(origin) ?? 0) >= mostClosed) return send(request, options);
    const over = this.#free(origin);
    const exchange = await send({ ...request, over }, options);
    const { failure, response } = exchange;
    if (failure === null && response?.complete === true) {
      this.#idleAt(origin).push({ connection: over, since: performance.now() });
      return exchange;
    }
    over.close();
    if (failure?.kind !== 'reset' || response !== null || !over.wasReused(origin)) return exchange;
    this.#closed.set(origin, (this.#closed.get(origin) ?? 0) + 1);
    const message = `${failure.message}; the connection had been kept, and may have been closed before`;
    return { ...exchange, failure: { kind: 'closed', message } };
  }

  close(): void {
    for (const idle of this.#idle.values()) for (const { connection } of idle) connection.close();
    this.#idle.clear();
  }

  /** Returns the connection that was used last, so that few stay in use and the others expire. */
  #free(origin: string): KeptConnection {
    const idle = this.#idleAt(origin);
    const oldest = performance.now() - youngMs;
    const young = idle.findIndex(({ since }) => since >= oldest);
    for (const { connection } of idle.splice(0, young < 0 ? idle.length : young)) {
      connection.close();
    }
    return idle.pop()?.connection ?? new KeptConnection();
  }

  #idleAt(origin: string): Idle[] {
    const known = this.#idle.get(origin) ?? [];
    this.#idle.set(origin, known);
    return known;
  }
}
