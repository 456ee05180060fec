import { type Exchange, parsed } from '../../kernel/core/index.ts';
import { operationOf } from '../../kernel/protocols/index.ts';
import {
  redactExchange,
  withoutForeignValues,
  withoutKeyShapes,
} from '../../kernel/redaction/index.ts';
import type { Region, Target } from '../../kernel/targets/index.ts';
import { isToken } from '../../kernel/wire/index.ts';
import { unknownOperation } from '../sessions/index.ts';
import type { Credentials } from './credentials.ts';

/** Observed exchange before its operation is recognised. */
export type Seen = Omit<Exchange, 'about' | 'echoed'>;

/**
 * Converts an observed exchange to one that can be judged, without its credentials. Null for a request that is
 * neither part of the interface nor meant to be.
 */
export function labelled(seen: Seen, region: Region, credentials: Credentials): Exchange | null {
  const { request } = seen;
  const address = request.url.replace(/^ws/i, 'http');
  if (!URL.canParse(address) || !isToken(request.method)) return null;
  const url = new URL(address);
  const key = credentials.learn(request.headers, url);
  credentials.learnCookies(seen.response?.headers ?? []);
  const asked = operationOf(
    {
      method: request.method,
      url,
      body: request.body === null ? undefined : parsed(new TextDecoder().decode(request.body)),
      upgrades: /^ws/i.test(request.url),
    },
    region.baseUrl,
  );
  const what = asked ?? (isMistaken(url.pathname) ? mistaken : null);
  if (what === null) return null;
  const about = { ...what, region: region.name, key };
  const known = redactExchange({ ...seen, about, echoed: [] }, credentials.secrets);
  return withoutForeignValues(withoutKeyShapes(known));
}

const mistaken = { operation: unknownOperation, protocol: 'models' } as const;

/** True for a mistaken path of the interface: a duplicate base, an extra slash, or a model id in several segments. */
function isMistaken(path: string): boolean {
  return (
    /\/v1(beta)?\/(.*\/)?v1(beta)?\/|\/\/v1(beta)?\//.test(path) ||
    /\/v1(beta)?\/models\/[^:]+\/[^:]+:[A-Za-z]+$/.test(path)
  );
}

/** The region of an address. If several match, the most specific one. */
export function regionOf(url: string, { regions }: Pick<Target, 'regions'>): Region | null {
  const address = url.replace(/^ws/i, 'http');
  const at = regions.filter(
    ({ baseUrl }) =>
      address === baseUrl || address.startsWith(`${baseUrl}/`) || address.startsWith(`${baseUrl}?`),
  );
  return at.sort((one, other) => other.baseUrl.length - one.baseUrl.length)[0] ?? null;
}
