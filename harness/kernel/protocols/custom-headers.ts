import type { ExchangeProtocol } from '../core/index.ts';
import { type CustomHeaders, maskedText, maskOfVariable } from '../wire/index.ts';
import type { DeployedRegion, Deployment } from './call.ts';

/** The base address of a protocol in a region, without a trailing slash. */
export function baseUrlOf(
  protocol: ExchangeProtocol,
  region: DeployedRegion,
  { protocols }: Pick<Deployment, 'protocols'>,
): string {
  const base = region.baseUrl.replace(/\/+$/, '');
  if (protocol === 'probe') return base;
  const own = region.protocols?.[protocol]?.baseUrl ?? protocols?.[protocol]?.baseUrl;
  return own === undefined ? base : `${own.startsWith('/') ? base : ''}${own.replace(/\/+$/, '')}`;
}

/** The custom headers of a request with their variables. The most specific one of a name wins. */
export function customHeadersOf(
  protocol: ExchangeProtocol,
  region: DeployedRegion,
  { headers, protocols, probeHeaders }: Pick<Deployment, 'headers' | 'protocols' | 'probeHeaders'>,
): CustomHeaders {
  const sources =
    protocol === 'probe'
      ? [probeHeaders]
      : [
          headers,
          region.headers,
          protocols?.[protocol]?.headers,
          region.protocols?.[protocol]?.headers,
        ];
  const lines = new Map<string, readonly [string, string]>();
  for (const [name, value] of sources.flatMap((source) => Object.entries(source ?? {}))) {
    lines.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(lines.values());
}

export function secretHeaders(headers: CustomHeaders): CustomHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => maskedText(value) !== value),
  );
}

/** Masks a credential that is too short to be searched for in texts. Only its position identifies it. */
export function maskedCredential(text: string, key: string): string {
  const encoded = Buffer.from(`${key}:`).toString('base64');
  const [scheme = '', last] = /^(.* )?([^ ]*)$/.exec(text)?.slice(1) ?? [];
  return last === key || last === encoded ? `${scheme}${maskOfVariable}` : text;
}
