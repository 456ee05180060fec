import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { chainOf, meetPeer } from './peer.ts';
import { proxyFor } from './proxies.ts';
import { type Routes, secureContextFor, type TlsMaterial, trustAt } from './routes.ts';
import { type Connected, connectToProxy, type Opening, openTunnel } from './tunnel.ts';

export { trust } from './routes.ts';
export type { Connected, Opening } from './tunnel.ts';

/**
 * TLS sessions by origin and client identity. Every exchange has a connection of its own, and a session saves the
 * full handshake. A resumed session only has the certificate of the host, so the chain is stored with it.
 */
const sessions = new WeakMap<TlsMaterial, Map<string, Session>>();
const nobody: TlsMaterial = {};

interface Session {
  readonly ticket: Buffer;
  readonly chain: readonly string[];
}

interface ConnectionOptions {
  readonly offersHttp2?: boolean;
  readonly routes?: Routes;
  /** True to request a tunnel from a proxy even for plain HTTP, as a WebSocket needs it. */
  readonly tunnels?: boolean;
}

/** The proxy for plain HTTP to an origin, which gets absolute URLs. Null if none is used. */
export function forwardProxyFor(origin: string, { proxies }: Routes): string | null {
  if (proxies === undefined || !/^http:/i.test(origin)) return null;
  return proxyFor(origin, proxies);
}

/**
 * Opens a connection, usually for a single exchange. On a shared connection, a gateway that closes it while idle
 * would turn the next request into a reset that says nothing about it, or make a client repeat it.
 *
 * undici's connector is not used: it holds sessions by weak references, which do not outlive the connection of one
 * exchange. undici's proxy agent is not used either: it has its own pool, and hides the answer of the proxy.
 *
 * @param connected called once, when requests can be written or the connection has failed
 */
export function openConnection(
  origin: string,
  connected: Connected,
  options: ConnectionOptions = {},
): Opening {
  const { routes = {}, tunnels = false } = options;
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:' || protocol === 'wss:';
  const proxy = routes.proxies === undefined ? null : proxyFor(origin, routes.proxies);
  const met = meeting(origin, options, proxy !== null, connected);
  if (proxy === null) {
    const socket = connectDirectly(origin, options);
    return opened(socket, secure ? 'secureConnect' : 'connect', met);
  }
  if (!secure && !tunnels) return connectToProxy(proxy, met);
  let opening: Opening = openTunnel(
    proxy,
    `${hostname}:${port || (secure ? 443 : 80)}`,
    (error, socket) => {
      if (error !== null) connected(error, null);
      else if (!secure) met(null, socket);
      else opening = opened(overTls(origin, host, { socket }, options), 'secureConnect', met);
    },
  );
  return { destroy: () => opening.destroy() };
}

/** Records the peer of a connection before the connection is passed on. */
function meeting(
  origin: string,
  { routes = {} }: ConnectionOptions,
  proxied: boolean,
  connected: Connected,
): Connected {
  return (...result) => {
    if (result[0] === null) {
      const [, socket] = result;
      const { host, protocol } = new URL(origin);
      const isResumed = socket instanceof TLSSocket && socket.isSessionReused();
      meetPeer(socket, {
        host,
        secure: protocol === 'https:' || protocol === 'wss:',
        proxied,
        trusts: trustAt(origin, routes),
        chain: isResumed ? sessionsAt(origin, routes).get(origin)?.chain : undefined,
      });
    }
    connected(...result);
  };
}

/** Starts to open a connection that uses no proxy. */
export function connectDirectly(origin: string, options: ConnectionOptions = {}): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:' || protocol === 'wss:';
  const where = { host, port: Number(port || (secure ? 443 : 80)) };
  return secure ? overTls(origin, host, where, options) : connectTcp({ ...where, noDelay: true });
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', connected: Connected): Opening {
  const failed = (error: Error): void => connected(error, null);
  socket.on('error', () => undefined).once('error', failed);
  socket.once(event, () => {
    socket.off('error', failed);
    connected(null, socket);
  });
  return socket;
}

function overTls(
  origin: string,
  host: string,
  where: { readonly host: string; readonly port: number } | { readonly socket: Socket },
  { offersHttp2 = false, routes = {} }: ConnectionOptions,
): TLSSocket {
  const known = sessionsAt(origin, routes);
  const session = known.get(origin);
  const secureContext = secureContextFor(origin, routes);
  const tls = connectTls({
    ...where,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    ...(session === undefined ? {} : { session: session.ticket }),
    ...(secureContext === null ? {} : { secureContext }),
  });
  return tls.setNoDelay(true).on('session', (ticket) => {
    const chain = tls.isSessionReused() ? session?.chain : undefined;
    known.set(origin, { ticket, chain: chain ?? chainOf(tls) });
  });
}

function sessionsAt(origin: string, { tls = {} }: Routes): Map<string, Session> {
  const material = tls[new URL(origin).host] ?? nobody;
  const known = sessions.get(material) ?? new Map<string, Session>();
  sessions.set(material, known);
  return known;
}
