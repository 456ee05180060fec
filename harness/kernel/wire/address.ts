/** Address of a request: the connection, the Host header and the request target. */
export interface Address {
  /** `https://host:port`, which the connection is opened to. */
  readonly origin: string;
  /** `host` or `host:port`, as in the Host header. */
  readonly host: string;
  /** Path and query exactly as written. A URL object would resolve dot segments. */
  readonly target: string;
}

/** @throws {TypeError} when the text is not an absolute URL */
export function addressOf(url: string): Address {
  const base = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(base.length).replace(/#.*$/s, '');
  return { ...placeOf(base), target: rest.startsWith('/') ? rest : `/${rest}` };
}

type Place = Pick<Address, 'origin' | 'host'>;

const known = new Map<string, Place>();
/** A run needs one entry per region. The bound is for gateways that redirect to many addresses. */
const mostKnown = 100;

function placeOf(base: string): Place {
  let place = known.get(base);
  if (place === undefined) {
    const { origin, host } = new URL(base);
    place = { origin, host };
    if (known.size >= mostKnown) known.clear();
    known.set(base, place);
  }
  return place;
}
