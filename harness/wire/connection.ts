import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** TLS sessions by origin: every exchange has its own connection, but need not shake hands in full. */
const sessions = new Map<string, Buffer>();

/**
 * Opens a connection of its own for one exchange. No connection is ever used twice: a gateway that
 * closes an idle one would turn the next request into a reset that says nothing about it, or tempt a
 * client into sending it again.
 *
 * Not undici's connector: it keeps sessions by weak references, which do not outlive a connection of
 * one exchange, and hands a socket over only when it is open, too late to end one that never opens.
 *
 * @param ready is called once, when requests can be written
 */
export function openConnection(origin: string, ready: () => void): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' && protocol !== 'wss:') {
    return connectTcp({ host, port: Number(port || 80), noDelay: true }).once('connect', ready);
  }
  const session = sessions.get(origin);
  return connectTls({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(session === undefined ? {} : { session }),
  })
    .setNoDelay(true)
    .on('session', (fresh) => sessions.set(origin, fresh))
    .once('secureConnect', ready);
}
