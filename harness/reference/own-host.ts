import type { IncomingMessage } from 'node:http';

/**
 * Returns the reason why a request may not use a control endpoint; null if it may. A page in a browser may
 * not, whatever its origin: it sends its origin, or its domain resolves to this server, which does not have
 * that name.
 *
 * @param names that it goes by besides those of this machine, in lower case
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

/** Without the port, and of an IPv6 address without its brackets. */
export function hostname(host: string): string {
  const text = host.trim().toLowerCase();
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/^([^:]*):\d*$/, '$1');
}

function isLoopback(name: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|::1|127(?:\.\d{1,3}){3})$/.test(name);
}

/** The address that the connection has come to: no name leads there but the address itself. */
function addressOf({ socket }: IncomingMessage): string {
  return (socket.localAddress ?? '').replace(/^::ffff:/, '');
}
