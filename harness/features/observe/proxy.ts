import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Exchange, exchangeId } from '../../kernel/core/index.ts';
import { type Region, routesOf, type Target } from '../../kernel/targets/index.ts';
import { hostname, startClock } from '../../kernel/wire/index.ts';
import { ProxiedConnection } from './connection.ts';
import { Credentials } from './credentials.ts';
import { labelled } from './label.ts';

interface ProxyOptions {
  readonly target: Target;
  readonly host: string;
  /** Names of the proxy in addition to those of this machine and `host`. Default: none. */
  readonly allowHosts?: readonly string[];
  /** Port of the first region. The others use the following ports. 0 selects free ports. */
  readonly port: number;
  /** Called when an exchange has ended. Null for a request outside of the interface. */
  seen(exchange: Exchange | null): void;
  /** Reports a fact to the user, each only once. */
  say(what: string): void;
}

export interface RunningProxy {
  /** URL of each region for clients, with the path of the gateway's address. */
  readonly addresses: readonly { readonly region: string; readonly url: string }[];
  readonly underWay: number;
  /** Closes every connection and all listeners. All exchanges have been reported when it resolves. */
  close(): Promise<void>;
}

/** The port or the address is not available. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

/**
 * Starts a proxy between clients and a gateway, for each of its regions. Every byte is forwarded unchanged, except
 * for the name of the host. Every request is forwarded once.
 *
 * @throws {CannotListen}
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, host, port } = options;
  const clock = startClock();
  const credentials = new Credentials(target);
  const hosts = new Set([host, ...(options.allowHosts ?? [])].map(hostname));
  const routes = routesOf(target);
  const connections = new Set<ProxiedConnection>();
  const said = new Set<string>();
  let requests = 0;
  let ended = 0;
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const connection of connections) connection.close();
    await Promise.all(closed);
    while (ended < requests) await new Promise((resolve) => setImmediate(resolve));
  };
  const serve = async (region: Region, index: number): Promise<string> => {
    const { origin, pathname } = new URL(region.baseUrl);
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const connection = new ProxiedConnection(client, {
        origin,
        routes,
        clock,
        hosts,
        nextId: () =>
          exchangeId({
            origin: 'observed',
            scenario: 'proxy',
            lane: region.name,
            number: requests,
          }),
        began: () => {
          requests++;
        },
        seen: (exchange) => {
          ended++;
          options.seen(labelled(exchange, region, credentials));
        },
        say: (what) => {
          if (!said.has(what)) options.say(what);
          said.add(what);
        },
      });
      connections.add(connection);
      client.once('close', () => connections.delete(connection));
    });
    servers.push(server);
    await listening(server, host, port === 0 ? 0 : port + index);
    const shown = host.includes(':') ? `[${host}]` : host;
    return `http://${shown}:${portOf(server)}${pathname.replace(/\/$/, '')}`;
  };
  try {
    const addresses = [];
    for (const [index, region] of target.regions.entries()) {
      addresses.push({ region: region.name, url: await serve(region, index) });
    }
    return {
      addresses,
      get underWay() {
        return requests - ended;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CannotListen(problem(error, host, port))));
    server.listen(port, host, resolve);
  });
  server.removeAllListeners('error');
}

function problem(error: Error, host: string, port: number): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `The port ${port} is in use. Choose another with --listen PORT; 0 picks a free one.`;
  }
  return `Cannot listen on ${host}:${port} (${code ?? error.message}). Choose another address with --host and --listen.`;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
