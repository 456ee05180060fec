import type { Exchange, HeaderLines } from '../core/index.ts';
import { isHarmlessHeader, isHarmlessParameter } from './names.ts';

/** Headers whose values are addresses. Only a part of their value is masked. */
const addresses = /^(location|content-location)$/i;

/**
 * Returns a foreign exchange in which only headers and query parameters with harmless names keep their values.
 * Masks have the length of the values that they replace.
 */
export function withoutForeignValues<E extends Pick<Exchange, 'request' | 'response'>>(
  exchange: E,
): E {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      url: maskedAddress(request.url),
      headers: maskedHeaders(request.headers),
    },
    response: response === null ? null : { ...response, headers: maskedHeaders(response.headers) },
  };
}

function maskedHeaders(headers: HeaderLines): HeaderLines {
  return headers.map(([name, value]) => {
    if (isHarmlessHeader(name)) return [name, value];
    if (addresses.test(name)) return [name, maskedAddress(value)];
    // The scheme is not secret, and tells how the key was sent.
    const [scheme = ''] = /authorization$/i.test(name)
      ? (/^(?:bearer|basic|digest|negotiate|token)[ \t]+/i.exec(value) ?? [])
      : [];
    return [name, scheme + masked(value.slice(scheme.length))];
  });
}

/** Masks the user and the fragment of an address, and query parameters except harmless ones. */
function maskedAddress(address: string): string {
  const [, before = '', query, fragment] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const place = before.replace(
    /^([a-z][a-z0-9+.-]*:)?\/\/([^/]*)@/i,
    (_, scheme: string | undefined, user: string) => `${scheme ?? ''}//${masked(user)}@`,
  );
  return place + maskedQuery(query ?? '') + masked(fragment ?? '', 1);
}

function maskedQuery(query: string): string {
  return query.replace(
    /([?&;])([^=&;]*)(?:=([^&;]*))?/g,
    (part, mark: string, name: string, value?: string) => {
      if (value === undefined)
        return isHarmlessParameter(decodedName(name)) || name === '' ? part : mark + masked(name);
      return isHarmlessParameter(decodedName(name)) ? part : `${mark}${name}=${masked(value)}`;
    },
  );
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Masks a text with at least three asterisks, so that it is recognised as a mask.
 *
 * @param from number of leading characters that are kept
 */
function masked(text: string, from = 0): string {
  if (text.length <= from) return text;
  return text.slice(0, from) + '*'.repeat(Math.max(3, text.length - from));
}
