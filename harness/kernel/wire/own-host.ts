import type { Socket } from 'node:net';
import { isLoopbackHost } from './proxies.ts';

/** The name in a `Host` header, without the port; of an IPv6 address without its brackets. */
export function hostname(host: string): string {
  const text = host.trim().toLowerCase();
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/^([^:]*):\d*$/, '$1');
}

/**
 * True if a server goes by this `Host`: a page can have any other name lead to this machine, and would then be let
 * read what the server answers.
 *
 * @param names that it goes by besides those of the machine and the address of the connection, in lower case
 */
export function isOwnHost(
  host: string,
  names: ReadonlySet<string>,
  { localAddress = '' }: Pick<Socket, 'localAddress'>,
): boolean {
  const name = hostname(host);
  return isLoopbackHost(name) || names.has(name) || name === localAddress.replace(/^::ffff:/, '');
}
