import { operationOf } from '../../kernel/protocols/index.ts';
import { type Target, withDefaults } from '../../kernel/targets/index.ts';
import type { Seen } from './label.ts';

/** Matches the start of a path of the interface. */
const interfacePath = /\/v1(beta)?\/(responses|chat\/completions|messages|models|systemone)/;

/** The base address of a request. Null if it is not part of the interface. */
export function baseOf({ request }: Pick<Seen, 'request'>): string | null {
  const url = new URL(request.url.replace(/^ws/i, 'http'));
  const begins = interfacePath.exec(url.pathname)?.index;
  if (begins === undefined) return null;
  const base = url.origin + url.pathname.slice(0, begins);
  // The client wrote the version twice.
  if (/\/v1(beta)?$/.test(base)) return null;
  const upgrades = /^ws/i.test(request.url);
  const asked = operationOf({ method: request.method, url, body: undefined, upgrades }, base);
  return asked === null ? null : base;
}

/** A target of which only the base addresses of its requests are known. */
export function targetAt(name: string, bases: readonly string[]): Target {
  const regions = bases.map((baseUrl) => ({
    name: baseUrl.replace(/^https?:\/\//, ''),
    baseUrl,
  }));
  return withDefaults({ regions, keys: { owner: '' }, models: [] }, name);
}
