import type { Exchange } from '../core/index.ts';
import { addressOf } from './address.ts';
import { KeptConnection } from './line.ts';
import type { WireOptions, WireRequest } from './request.ts';
import { send } from './transport.ts';

/**
 * Idle for longer, a connection is not used again. Servers close idle ones after two seconds or more; where one
 * names another time (`Keep-Alive: timeout=…`), undici keeps to that.
 */
const youngMs = 1_000;

/** Kept connections that may break at an origin before no more are kept there. */
const mostClosed = 3;

interface Idle {
  readonly connection: KeptConnection;
  readonly since: number;
}

/**
 * Keeps connections from one request to the next, as most clients do: a request takes any that is free.
 * Each request is still sent exactly once. If a kept connection breaks before any of the answer has
 * arrived, the gateway may have closed it before it saw the request, or broken it on receipt: the cause is
 * unknown, so nothing is reported.
 */
export class Connections {
  readonly #idle = new Map<string, Idle[]>();
  /** Kept connections that were found broken, by origin. */
  readonly #closed = new Map<string, number>();

  /** Sends a request as `send` of `transport.ts` does, over a kept connection if one is free. */
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

  /** The one that was used last: of many few are kept warm, and the others end. */
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
