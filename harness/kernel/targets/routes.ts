import { type Routes, type TlsMaterial, withVariables } from '../wire/index.ts';
import type { Target, Tls } from './target.ts';

/** Returns how the addresses of a target are reached: TLS material by host, and proxies. */
export function routesOf({ regions, protocols, probes, proxies, tls, variables }: Target): Routes {
  const own = new Map<string, TlsMaterial>();
  const add = (url: string, given: Tls | undefined): void => {
    if (given === undefined || !URL.canParse(url)) return;
    own.set(new URL(url).host, materialOf(given, variables));
  };
  for (const url of [...probes.ledger, ...probes.clock]) add(url, tls);
  for (const { baseUrl = '' } of Object.values(protocols)) add(baseUrl, tls);
  for (const region of regions) {
    const places = Object.values(region.protocols ?? {});
    for (const { baseUrl = '' } of places) add(baseUrl, region.tls ?? tls);
    add(region.baseUrl, region.tls ?? tls);
  }
  return {
    ...(proxies === undefined ? {} : { proxies }),
    ...(own.size === 0 ? {} : { tls: Object.fromEntries(own) }),
  };
}

function materialOf(
  { ca, certificate, key, passphrase }: Tls,
  variables: Target['variables'],
): TlsMaterial {
  return {
    ...(ca === undefined ? {} : { ca: ca.pem }),
    ...(certificate === undefined ? {} : { certificate: certificate.pem }),
    ...(key === undefined ? {} : { key: key.pem }),
    ...(passphrase === undefined ? {} : { passphrase: withVariables(passphrase, variables) }),
  };
}
