import { createHash, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Certificate, PeerTls } from '../core/index.ts';

/** The certificates of a chain, up to the first one that cannot be read. */
export function certificatesOf({ chain }: Pick<PeerTls, 'chain'>): readonly X509Certificate[] {
  const certificates: X509Certificate[] = [];
  for (const der of chain) {
    try {
      certificates.push(new X509Certificate(Buffer.from(der, 'base64')));
    } catch {
      break;
    }
  }
  return certificates;
}

/** SHA-256 of the public keys of the authorities that Node trusts by default. */
export function knownAuthorities(): ReadonlySet<string> {
  authorities ??= new Set(rootCertificates.map((pem) => spkiSha256(new X509Certificate(pem))));
  return authorities;
}

let authorities: ReadonlySet<string> | undefined;

function spkiSha256({ publicKey }: X509Certificate): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex');
}

export function certificateFacts(chain: Pick<PeerTls, 'chain'>): readonly Certificate[] {
  return certificatesOf(chain).flatMap((certificate) => {
    try {
      return factsOf(certificate);
    } catch {
      // Node cannot read a date or the key.
      return [];
    }
  });
}

function factsOf(certificate: X509Certificate): Certificate {
  const { subject, subjectAltName, validFrom, validTo } = certificate;
  return {
    subject: (subject ?? '').split('\n').join(', '),
    ...(subjectAltName === undefined ? {} : { names: subjectAltName }),
    spkiSha256: spkiSha256(certificate),
    from: new Date(validFrom).toISOString(),
    until: new Date(validTo).toISOString(),
  };
}
