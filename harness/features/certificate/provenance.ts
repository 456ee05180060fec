import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type ClockDifference,
  type Exchange,
  formatId,
  loadCatalogue,
  type Peer,
  sideOf,
} from '../../kernel/core/index.ts';
import { provenanceOf, type Recording } from '../../kernel/recordings/index.ts';
import { addressesOf, type Target, type TargetAddress } from '../../kernel/targets/index.ts';
import { certificatesOf, isLoopbackHost } from '../../kernel/wire/index.ts';

/** Maximum clock difference in seconds. Clocks that differ by more cannot confirm each other's dates. */
const mostSeconds = 300;

/**
 * Lists connections and times in a recording of a gateway that are impossible, or insufficient for a certificate.
 * Only the first of each kind is named.
 */
export function provenanceProblems(recording: Recording, now = Date.now()): string[] {
  const { header, exchanges } = recording;
  const times = timeProblems(recording, now);
  if (header.target.client !== undefined) return times;
  const answered = exchanges.filter(({ response }) => response !== null);
  const addresses = addressesOf(header.target);
  const peers = new Map(
    answered.flatMap(({ peer }) => (peer === undefined ? [] : [[peer.id, peer]])),
  );
  const strange = first(answered, (exchange) => strangeness(exchange, addresses));
  const start = Date.parse(header.startedAt);
  return [
    ...(strange.length > 0
      ? strange
      : [...peers.values()].flatMap((peer) => peerProblems(peer, start))),
    ...times,
    ...clockProblems(provenanceOf(exchanges, header.startedAt)?.clocks ?? []),
  ];
}

/** Lists obstacles to a certificate for a target before any request is sent: sentences with a remedy. */
export function certifyingObstacles(
  target: Target,
  environment: Readonly<Record<string, string | undefined>>,
  now = Date.now(),
): string[] {
  const { date } = loadCatalogue(sideOf({ target })).specification;
  return [
    ...(target.client === undefined ? connectingObstacles(target, environment) : []),
    ...(now < madeAt(date)
      ? [
          `The clock of this machine says ${new Date(now).toISOString()}, and the suite is of ${date}: set it.`,
        ]
      : []),
  ];
}

function connectingObstacles(
  target: Target,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const plain = addressesOf(target).filter(({ url }) => isPlain(url) && !isHere(url));
  return [
    ...plain.map(
      ({ what, url }) =>
        `${url} (${what}) is plain HTTP: anybody on the way can answer in its place. Give an https:// ` +
        'address; plain HTTP is certified at localhost and loopback addresses alone.',
    ),
    ...(environment.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? [
          'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the verification of certificates off: unset it. An ' +
            'authority of your own goes into the target file, as `tls.ca`.',
        ]
      : []),
  ];
}

/** Reports clocks that are far off: sentences with a remedy. */
export function clockProblems(clocks: readonly ClockDifference[]): string[] {
  return clocks
    .filter(({ aheadSeconds }) => Math.abs(aheadSeconds) > mostSeconds)
    .map(
      ({ host, aheadSeconds }) =>
        `by the \`Date\` of its answers the clock of ${host} was ${Math.abs(aheadSeconds)} s ` +
        `${aheadSeconds > 0 ? 'ahead of' : 'behind'} that of the run, and ${mostSeconds} s are the most`,
    );
}

/** Checks that the whole run is later than the suite that judges it, and not in the future. */
function timeProblems({ header, exchanges }: Recording, now: number): string[] {
  const { date } = loadCatalogue(sideOf(header)).specification;
  const start = Date.parse(header.startedAt);
  if (Number.isNaN(start)) return [];
  const ended = exchanges.reduce((latest, { times }) => Math.max(latest, times.ended), 0);
  if (start < madeAt(date)) {
    return [`it was made at ${header.startedAt}, and the suite is of ${date}`];
  }
  if (start + ended <= now + mostSeconds * 1_000) return [];
  return [`its last exchange ended at ${new Date(start + ended).toISOString()}, which is to come`];
}

/** Start of a day in the earliest time zone. */
function madeAt(date: string): number {
  return Date.parse(date) - 86_400_000;
}

/** Explains why an exchange cannot be with the host that its recording names. */
function strangeness(
  { id, about, request, peer }: Exchange,
  addresses: readonly TargetAddress[],
): string | null {
  if (!URL.canParse(request.url)) return `the exchange ${formatId(id)} has no address`;
  const { host, protocol } = new URL(request.url);
  const isOfRegion = addresses.some(
    ({ url, region = about.region }) => region === about.region && new URL(url).host === host,
  );
  if (!isOfRegion) {
    return `the exchange ${formatId(id)} was with ${host}, which is not of the region ${about.region} of the target`;
  }
  if (peer === undefined) return `it does not say with whom the exchange ${formatId(id)} was`;
  if (peer.host !== host)
    return `the exchange ${formatId(id)} was with ${peer.host}, and not with ${host}`;
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  if (isSecure === (peer.tls !== null)) return null;
  return `the exchange ${formatId(id)} was ${isSecure ? 'not' : ''} over TLS, unlike its address`;
}

function peerProblems({ host, address, tls }: Peer, startedAt: number): string[] {
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (tls === null) {
    const isLocal = isLoopbackHost(name) && (address === null || isLoopbackAddress(address));
    return isLocal ? [] : [`${host} was asked over plain HTTP, where anybody may answer`];
  }
  if (!tls.verified) return [`the certificate of ${host} was not verified`];
  const chain = certificatesOf(tls);
  const [leaf] = chain;
  if (leaf === undefined || chain.length < tls.chain.length) {
    return [`the certificates of ${host} cannot be read`];
  }
  const isFor = isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name);
  if (isFor === undefined) return [`the certificate that ${host} has shown is for another host`];
  const held = Date.parse(leaf.validFrom) <= startedAt && startedAt <= Date.parse(leaf.validTo);
  if (!held) return [`the certificate that ${host} has shown did not hold at the time of the run`];
  const broken = chain.slice(1).findIndex((issuer, index) => !isIssued(chain[index], issuer));
  return broken === -1 ? [] : [`the certificates that ${host} has shown are not of one chain`];
}

function isIssued(certificate: X509Certificate | undefined, issuer: X509Certificate): boolean {
  return certificate?.checkIssued(issuer) === true && certificate.verify(issuer.publicKey);
}

function isLoopbackAddress(address: string): boolean {
  return isLoopbackHost(address.replace(/^::ffff:/i, ''));
}

function isPlain(url: string): boolean {
  return new URL(url).protocol === 'http:';
}

function isHere(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

function first(
  exchanges: readonly Exchange[],
  problem: (exchange: Exchange) => string | null,
): string[] {
  for (const exchange of exchanges) {
    const found = problem(exchange);
    if (found !== null) return [found];
  }
  return [];
}
