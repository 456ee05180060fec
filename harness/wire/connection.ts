import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';

/** TLS sessions by origin: every exchange has its own connection, but need not shake hands in full. */
const sessions = new Map<string, Buffer>();

/** Whom to trust at an origin, instead of those whom every client trusts; by `host:port`. */
const trusted = new Map<string, SecureContext>();

/** Trusts this certificate, and no other, at the address of a gateway that was started for a run. */
export function trust(url: string, certificate: string): void {
  trusted.set(new URL(url).host, createSecureContext({ ca: certificate }));
}

/** How undici is told of a connection, or why there is none. */
export type Connected = (...result: [null, Socket] | [Error, null]) => void;

/**
 * Opens a connection, as a rule of its own for one exchange: a gateway that closes an idle one would turn the
 * next request into a reset that says nothing about it, or tempt a client into sending it again.
 *
 * Not undici's connector: it keeps sessions by weak references, which do not outlive a connection of
 * one exchange, and hands a socket over only when it is open, too late to end one that never opens.
 *
 * @param ready is called once, when requests can be written
 */
export function openConnection(
  origin: string,
  ready: () => void,
  { offersHttp2 = false }: { readonly offersHttp2?: boolean } = {},
): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' && protocol !== 'wss:') {
    return connectTcp({ host, port: Number(port || 80), noDelay: true }).once('connect', ready);
  }
  const session = sessions.get(origin);
  const own = trusted.get(new URL(origin).host);
  return connectTls({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    ...(session === undefined ? {} : { session }),
    ...(own === undefined ? {} : { secureContext: own }),
  })
    .setNoDelay(true)
    .on('session', (fresh) => sessions.set(origin, fresh))
    .once('secureConnect', ready);
}
