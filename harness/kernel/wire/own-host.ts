import type { Socket } from 'node:net';
import { isLoopbackHost } from './proxies.ts';

/** The name in a `Host` header without the port. An IPv6 address loses its brackets. */
export function hostname(host: string): string {
  const text = host.trim().toLowerCase();
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/^([^:]*):\d*$/, '$1');
}

/**
 * True if a server accepts this `Host`. A web page could resolve any other name to this machine and read the
 * server's answers (DNS rebinding).
 *
 * @param names accepted names in lower case, in addition to those of the machine and the address of the connection
 */
export function isOwnHost(
  host: string,
  names: ReadonlySet<string>,
  { localAddress = '' }: Pick<Socket, 'localAddress'>,
): boolean {
  const name = hostname(host);
  return isLoopbackHost(name) || names.has(name) || name === localAddress.replace(/^::ffff:/, '');
}
