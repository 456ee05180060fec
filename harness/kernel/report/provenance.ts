import type { ClockDifference, Connection } from '../core/index.ts';

/** Clock differences below this are ignored, in seconds. */
const leastSeconds = 30;

/** Describes a peer: `gateway.example at 203.0.113.5, TLSv1.3, verified: CN=gateway.example, by …`. */
export function connectionInWords({ host, addresses, proxied, tls }: Connection): string {
  const where = [...addresses.map(addressInWords), ...(proxied ? ['by a proxy'] : [])];
  const at = `${host} at ${where.join(', ')}`;
  if (tls === undefined) return `${at}, plain HTTP`;
  const [leaf, ...further] = tls.chain;
  const authority = further.at(-1);
  return [
    at,
    tls.protocols.join(', '),
    tls.verified ? 'verified' : 'not verified',
    ...(leaf === undefined
      ? []
      : [`${leaf.subject} until ${leaf.until.slice(0, 10)}, key SHA-256 ${leaf.spkiSha256}`]),
    ...(authority === undefined ? [] : [`by ${authority.subject}`]),
    ...(tls.trusts === 'system' ? [] : [trustInWords[tls.trusts]]),
  ].join(', ');
}

const trustInWords = {
  'target-file': 'an authority of the target file, and not one that everybody trusts',
  'started-for-the-run': 'of a gateway that was started for the run',
} as const;

/** Marks addresses that are not on the public internet. */
function addressInWords(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (/^127\.|^::1$/.test(plain)) return `${address} (the machine of the run)`;
  const isPrivate = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.|^f[cd]|^fe[89ab]/i.test(
    plain,
  );
  return isPrivate ? `${address} (a private network)` : address;
}

/** Describes wrong clocks, in a sentence each. */
export function clocksInWords(clocks: readonly ClockDifference[]): string[] {
  return clocks
    .filter(({ aheadSeconds }) => Math.abs(aheadSeconds) >= leastSeconds)
    .map(
      ({ host, aheadSeconds }) =>
        `that of ${host} was ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} ours`,
    );
}
