import type { Exchange, HeaderLines } from '../core/index.ts';
import { endpointModules, protocolOf } from './modules.ts';

/**
 * Returns the expected and the actual placement of the key in a request, by the rules of its protocol. Null if it
 * is correct. Any publisher's name is accepted in header names.
 *
 * @param mask text that replaces the key
 */
export function ownCredential(
  exchange: Exchange,
  mask: string,
): { readonly expected: string; readonly actual: string } | null {
  const protocol = protocolOf(exchange);
  const { headers } = exchange.request;
  const { credential, isVersioned } = endpointModules[protocol ?? 'models'];
  // If the specification names no header, any header is accepted.
  const form = forms[typeof credential === 'string' ? credential : 'any'];
  const showing = headers.filter(([, value]) => value.includes(mask));
  const isShown = showing.some(([name, value]) => form.is(name.toLowerCase(), value, mask));
  if (!isShown) {
    const shown = showing.map(([name, value]) => `${name}: ${value.replace(mask, '<key>')}`);
    return {
      expected: `the key in \`${form.words}\``,
      actual: shown.length === 0 ? 'the key in no header' : shown.join(', '),
    };
  }
  return isVersioned === true && !isVersionGiven(headers)
    ? {
        expected: 'the version of Messages, a date, in `<publisher>-version`',
        actual: 'no such header with a date',
      }
    : null;
}

const forms = {
  any: { words: 'a header', is: () => true },
  bearer: {
    words: 'Authorization: Bearer <key>',
    is: (name: string, value: string, mask: string) =>
      name === 'authorization' && /^bearer +/i.test(value) && value.endsWith(` ${mask}`),
  },
  'x-api-key': {
    words: 'x-api-key: <key>',
    is: (name: string, value: string, mask: string) => name === 'x-api-key' && value === mask,
  },
  'vendorB-api-key': {
    words: 'x-<publisher>-api-key: <key>',
    is: (name: string, value: string, mask: string) =>
      /^x-[a-z0-9]+-api-key$/.test(name) && value === mask,
  },
} as const;

function isVersionGiven(headers: HeaderLines): boolean {
  return headers.some(
    ([name, value]) =>
      /^(?!x-|api-)[a-z0-9]+-version$/i.test(name) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  );
}
