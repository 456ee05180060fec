import { BlockList, isIP } from 'node:net';

/** Proxies from environment variables, read as `curl` reads them. */
export interface Proxies {
  /** URL of the proxy for `http:` and `ws:`, including its user and password. */
  readonly http?: string;
  /** URL of the proxy for `https:` and `wss:`. */
  readonly https?: string;
  /** Entries of `NO_PROXY`: hosts that are reached directly. */
  readonly except: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name proxies. The lower-case name comes first and wins. */
export const proxyVariables = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;

export function proxiesIn(environment: Environment): Proxies {
  const first = (names: readonly string[]): string | undefined =>
    names
      .map((name) => environment[name]?.trim())
      .find((value) => value !== undefined && value !== '');
  const http = first(proxyVariables.http);
  const https = first(proxyVariables.https);
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    except: (environment.no_proxy ?? environment.NO_PROXY ?? '')
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  };
}

/**
 * Returns the proxy for an address, as written in the environment. Null if none applies. Addresses of this machine
 * never use one.
 */
export function proxyFor(url: string, { http, https, except }: Proxies): string | null {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:' || protocol === 'wss:';
  const proxy = secure ? https : http;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (proxy === undefined || isLoopbackHost(host)) return null;
  const isExcept = except.some((entry) =>
    fits(entry.toLowerCase(), host, port || (secure ? '443' : '80')),
  );
  return isExcept ? null : proxy;
}

export function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Parses the address of a proxy. @throws {Error} when it is not a usable address */
export function proxyAddress(text: string): URL {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address))
    throw new Error('it is not an address, such as http://proxy.example:3128');
  const url = new URL(address);
  if (url.protocol.startsWith('socks'))
    throw new Error('SOCKS proxies are not supported, only HTTP ones');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('a proxy is at an http:// or https:// address');
  }
  return url;
}

/** The address of a proxy without its user and password. */
export function shownProxy(text: string): string {
  const { protocol, host } = proxyAddress(text);
  return `${protocol}//${host}`;
}

/** Returns the Proxy-Authorization header of a proxy's URL, or null if the URL names no user. */
export function proxyAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

/**
 * Matches a host with an entry: `*`, a host or a domain with its subdomains (each with an optional
 * port), an address, or an address range.
 */
function fits(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(host, entry);
  const [, bare, only] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = (bare ?? '').replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network);
  const length = Number(bits);
  if (
    family === 0 ||
    isIP(host) !== family ||
    !(length >= 0 && length <= (family === 4 ? 32 : 128))
  )
    return false;
  const list = new BlockList();
  list.addSubnet(network, length, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
