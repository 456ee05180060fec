import type { PeerTls } from './exchange.ts';

/** Peers of the exchanges of a run, and the clocks of their hosts. */
export interface Provenance {
  readonly connections: readonly Connection[];
  /** One entry for each host that sends dates. */
  readonly clocks: readonly ClockDifference[];
}

/** Connections to a host that showed the same certificates. */
export interface Connection {
  readonly host: string;
  /** IP addresses, without those that only a proxy knows. */
  readonly addresses: readonly string[];
  /** Set if a proxy made the connection. */
  readonly proxied?: true;
  /** Absent: plain HTTP. */
  readonly tls?: {
    /** `TLSv1.3` */
    readonly protocols: readonly string[];
    readonly verified: boolean;
    readonly trusts: PeerTls['trusts'];
    /** From the certificate of the host to its authority. */
    readonly chain: readonly Certificate[];
  };
}

export interface Certificate {
  /** `CN=gateway.example` */
  readonly subject: string;
  /** `DNS:gateway.example, DNS:*.gateway.example` */
  readonly names?: string;
  /** SHA-256 of its public key (SPKI), in hexadecimal digits. */
  readonly spkiSha256: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly until: string;
}

/** Seconds by which the clock of a host is ahead of that of the run; negative if it is behind. */
export interface ClockDifference {
  readonly host: string;
  readonly aheadSeconds: number;
}

/** Joins the provenance of several runs as if they were parts of one run. */
export function joinedProvenance(parts: readonly Provenance[]): Provenance {
  const connections = new Map<string, Connection>();
  const clocks = new Map<string, ClockDifference>();
  for (const part of parts) {
    for (const connection of part.connections) add(connections, connection);
    for (const clock of part.clocks) {
      const known = clocks.get(clock.host);
      const isFurther = Math.abs(clock.aheadSeconds) > Math.abs(known?.aheadSeconds ?? -1);
      if (known === undefined || isFurther) clocks.set(clock.host, clock);
    }
  }
  return {
    connections: [...connections].sort(byName).map(([, connection]) => connection),
    clocks: [...clocks].sort(byName).map(([, clock]) => clock),
  };
}

/** Adds a connection. Connections that differ only in addresses and protocols are merged. */
function add(known: Map<string, Connection>, { addresses, tls, ...rest }: Connection): void {
  const { protocols = [], ...shown } = tls ?? {};
  const key = `${rest.host} ${JSON.stringify([rest.proxied ?? false, shown])}`;
  const before = known.get(key);
  known.set(key, {
    ...rest,
    addresses: union(before?.addresses, addresses),
    ...(tls === undefined
      ? {}
      : { tls: { ...tls, protocols: union(before?.tls?.protocols, protocols) } }),
  });
}

function union(one: readonly string[] = [], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].sort();
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
