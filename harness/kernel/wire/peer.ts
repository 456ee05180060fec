import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { asObject, type Exchange, type Peer, type PeerTls, trusts } from '../core/index.ts';

/** Maximum number of certificates that are kept of a chain. Ordinary chains have two to four. */
const longestChain = 8;

/** Maximum number of peers that are kept in a run. A gateway could have a new one for each connection. */
export const mostPeers = 1_000;

/** Peers by their facts, so that all connections to the same peer share one object. */
const known = new Map<string, Peer>();

const peers = new WeakMap<Socket, Peer>();

/** Returns the peer of a connection as a member of its exchanges. Empty if there was no connection. */
export function withPeer(socket: Socket | null): Pick<Exchange, 'peer'> {
  const peer = socket === null ? undefined : peers.get(socket);
  return peer === undefined ? {} : { peer };
}

/** Facts of a connection that its socket does not expose. */
interface Way {
  readonly host: string;
  /** True for TLS to the host itself. TLS to a proxy proves nothing about the host. */
  readonly secure: boolean;
  /** True if the address of the socket is that of a proxy. */
  readonly proxied: boolean;
  readonly trusts: PeerTls['trusts'];
  /** Certificates from the full handshake, if this connection resumes a session. */
  readonly chain: readonly string[] | undefined;
}

/** Records the peer of a connection while it is open, because a closed socket has no peer data. */
export function meetPeer(socket: Socket, { host, secure, proxied, trusts: by, chain }: Way): void {
  const address = proxied ? null : (socket.remoteAddress ?? null);
  const tls =
    secure && socket instanceof TLSSocket
      ? {
          protocol: socket.getProtocol() ?? '',
          verified: socket.authorized,
          trusts: by,
          chain: chain ?? chainOf(socket),
        }
      : null;
  peers.set(socket, shared({ host, address, tls }));
}

/** The certificates that a host has presented, starting with its own. */
export function chainOf(socket: TLSSocket): readonly string[] {
  const chain: string[] = [];
  let certificate: PeerCertificate | undefined = socket.getPeerCertificate(true);
  while (certificate?.raw !== undefined && chain.length < longestChain) {
    const der = certificate.raw.toString('base64');
    // Self-signed: the end of the chain.
    if (chain.at(-1) === der) break;
    chain.push(der);
    certificate = 'issuerCertificate' in certificate ? issuerOf(certificate) : undefined;
  }
  return chain;
}

function issuerOf(certificate: PeerCertificate): PeerCertificate | undefined {
  return Reflect.get(certificate, 'issuerCertificate');
}

/** True if a value has the form in which `meetPeer` records a peer. */
export function isPeer(value: unknown): value is Peer {
  const { id, host, address, tls } = asObject(value);
  if (typeof id !== 'string' || typeof host !== 'string') return false;
  if (address !== null && typeof address !== 'string') return false;
  if (tls === null) return true;
  const { protocol, verified, trusts: by, chain } = asObject(tls);
  return (
    typeof protocol === 'string' &&
    typeof verified === 'boolean' &&
    trusts.some((one) => one === by) &&
    Array.isArray(chain) &&
    chain.length <= longestChain &&
    chain.every((der) => typeof der === 'string')
  );
}

export function peerId({ host, address, tls }: Omit<Peer, 'id'>): string {
  const facts = [host, address, tls && [tls.protocol, tls.verified, tls.trusts, tls.chain]];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}

function shared(facts: Omit<Peer, 'id'>): Peer {
  const id = peerId(facts);
  const peer = known.get(id) ?? { id, ...facts };
  if (known.size >= mostPeers) known.clear();
  known.set(id, peer);
  return peer;
}
