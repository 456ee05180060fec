import {
  type Connection,
  type Exchange,
  joinedProvenance,
  type Peer,
  type Provenance,
} from '../core/index.ts';
import { certificateFacts, headerValues, mostPeers } from '../wire/index.ts';

/** Number of dates kept for a host: more of them do not improve the estimate of its clock. */
const mostDates = 1_000;

/** Collects the peers of exchanges and the clocks of their hosts, in any order of exchanges. */
export class ProvenanceLog {
  readonly #peers = new Map<string, Peer>();
  /** Estimates of the start of the run by the clock of each host, in epoch milliseconds. */
  readonly #dates = new Map<string, number[]>();

  add(exchange: Exchange): void {
    const { peer, times } = exchange;
    if (peer === undefined) return;
    if (!this.#peers.has(peer.id) && this.#peers.size >= mostPeers) return;
    this.#peers.set(peer.id, peer);
    const [date] = headerValues(exchange, 'date');
    if (date === undefined || times.headers === null) return;
    // A `Date` header has whole seconds: adds half of one.
    const at = Date.parse(date) + 500 - times.headers;
    if (Number.isNaN(at)) return;
    const dates = this.#dates.get(peer.host) ?? [];
    this.#dates.set(peer.host, dates);
    if (dates.length < mostDates) dates.push(at);
  }

  /** Returns undefined if no exchange has a peer. @param startedAt of the run, ISO 8601 */
  provenance(startedAt: string): Provenance | undefined {
    if (this.#peers.size === 0) return undefined;
    const start = Date.parse(startedAt);
    return joinedProvenance([
      { connections: [...this.#peers.values()].map(connectionOf), clocks: [] },
      {
        connections: [],
        clocks: [...this.#dates].map(([host, dates]) => ({
          host,
          aheadSeconds: Math.round((median(dates) - start) / 1_000) || 0,
        })),
      },
    ]);
  }
}

export function provenanceOf(
  exchanges: readonly Exchange[],
  startedAt: string,
): Provenance | undefined {
  const log = new ProvenanceLog();
  for (const exchange of exchanges) log.add(exchange);
  return log.provenance(startedAt);
}

function connectionOf({ host, address, tls }: Peer): Connection {
  return {
    host,
    addresses: address === null ? [] : [address],
    ...(address === null ? { proxied: true } : {}),
    ...(tls === null
      ? {}
      : {
          tls: {
            protocols: [tls.protocol],
            verified: tls.verified,
            trusts: tls.trusts,
            chain: certificateFacts(tls),
          },
        }),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
