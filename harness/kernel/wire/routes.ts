import { createSecureContext, type SecureContext } from 'node:tls';
import type { PeerTls } from '../core/index.ts';
import type { Proxies } from './proxies.ts';

export interface Routes {
  readonly proxies?: Proxies;
  /** TLS settings by `host` or `host:port`. */
  readonly tls?: Readonly<Record<string, TlsMaterial>>;
}

/** Contents in PEM format. */
export interface TlsMaterial {
  /** Trusted authorities, which replace the default ones. */
  readonly ca?: string;
  /** The client certificate, followed by its intermediate certificates. */
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Authorities of gateways that were started for a run, by `host:port`. */
const trusted = new Map<string, SecureContext>();

/** Makes this the only trusted certificate at the address of a gateway that was started for a run. */
export function trust(url: string, certificate: string): void {
  trusted.set(new URL(url).host, createSecureContext({ ca: certificate }));
}

const contexts = new WeakMap<TlsMaterial, SecureContext>();

/** Returns the source of the trusted authorities for an address. */
export function trustAt(origin: string, { tls = {} }: Routes): PeerTls['trusts'] {
  const { host } = new URL(origin);
  const material = tls[host];
  if (material?.ca !== undefined) return 'target-file';
  return material === undefined && trusted.has(host) ? 'started-for-the-run' : 'system';
}

/** Returns the TLS context for an address, or null if the default is enough. */
export function secureContextFor(origin: string, { tls = {} }: Routes): SecureContext | null {
  const { host } = new URL(origin);
  const material = tls[host];
  if (material === undefined) return trusted.get(host) ?? null;
  const known = contexts.get(material);
  if (known !== undefined) return known;
  const { ca, certificate, key, passphrase } = material;
  const made = createSecureContext({
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  contexts.set(material, made);
  return made;
}
