/** Where a request goes, and what stands in its request line. */
export interface Address {
  /** `https://host:port`, for the connection. */
  readonly origin: string;
  /** `host` or `host:port`, as the Host header names it. */
  readonly host: string;
  /** Path and query exactly as written: a URL object would resolve dot segments. */
  readonly target: string;
}

/** @throws {TypeError} when it is no absolute URL */
export function addressOf(url: string): Address {
  const { origin, host } = new URL(url);
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return { origin, host, target: rest.startsWith('/') ? rest : `/${rest}` };
}
