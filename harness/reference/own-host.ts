import type { IncomingMessage } from 'node:http';

/**
 * Returns the reason why a request may not use a control endpoint; null if it may. A page in a browser may not,
 * regardless of its origin: either it sends its origin, or its domain resolves to this server without being one of
 * the server's names.
 *
 * @param names additional names of the server, in lower case
 */
export function foreign(request: IncomingMessage, names: ReadonlySet<string>): string | null {
  const { origin, host, ':authority': authority, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || (site !== undefined && site !== 'none')) {
    return 'A page in a browser may not ask this. Ask for it from a terminal, a test or the address bar.';
  }
  const asked = hostname(host ?? `${authority ?? ''}`);
  if (isLoopback(asked) || names.has(asked) || asked === addressOf(request)) return null;
  return `This does not go by the name ${JSON.stringify(asked.slice(0, 80))}. Start it with --allow-host NAME if that is its name.`;
}

/** Removes the port, and the brackets of an IPv6 address. */
export function hostname(host: string): string {
  const text = host.trim().toLowerCase();
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/^([^:]*):\d*$/, '$1');
}

function isLoopback(name: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|::1|127(?:\.\d{1,3}){3})$/.test(name);
}

/** Returns the local address of the connection, which no foreign name equals. */
function addressOf({ socket }: IncomingMessage): string {
  return (socket.localAddress ?? '').replace(/^::ffff:/, '');
}
