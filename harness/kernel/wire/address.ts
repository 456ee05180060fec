/** Address of a request: its connection, its Host header and its request target. */
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
  const base = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(base.length).replace(/#.*$/s, '');
  return { ...placeOf(base), target: rest.startsWith('/') ? rest : `/${rest}` };
}

type Place = Pick<Address, 'origin' | 'host'>;

const known = new Map<string, Place>();
/** A run has as many as it has regions, but a gateway may send us anywhere. */
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
