import type { KeyObject } from 'node:crypto';
import { type Envelope, isSignatureBy, keyIdOf } from './dsse.ts';

export interface Signatures {
  readonly problems: readonly string[];
  /** Id of the named key that signed. Null if none did. */
  readonly by: string | null;
  /**
   * Number of signatures by keys that the verifier did not name. They prove nothing, and neither does their `keyid`.
   */
  readonly uncheckable: number;
}

/**
 * Checks every signature against the named keys. An invalid one is a problem even if others verify, because it
 * cannot be there by accident.
 */
export function checkedSignatures(
  envelope: Envelope,
  name: string,
  signers: readonly KeyObject[],
): Signatures {
  const count = envelope.signatures.length;
  if (count > 10 || new Set(envelope.signatures.map(({ keyid }) => keyid)).size < count) {
    const problem = `${name} has ${count} signatures: one for each key, and 10 at most`;
    return { problems: [problem], by: null, uncheckable: 0 };
  }
  const named = new Map(signers.map((key) => [keyIdOf(key), key]));
  const problems: string[] = [];
  let by: string | null = null;
  let uncheckable = 0;
  for (const signature of envelope.signatures) {
    const key = named.get(signature.keyid);
    const maker = signers.find((signer) => isSignatureBy(envelope, signature, signer));
    if (!isFormed(signature)) problems.push(`${name} has a signature that is none of Ed25519`);
    else if (key !== undefined && maker !== key) {
      problems.push(`${name} has a signature that names the given key, and does not verify`);
    } else if (maker !== undefined && maker !== key) {
      problems.push(`${name} has a signature of the given key that names another key`);
    } else if (maker === undefined) uncheckable++;
    else by ??= signature.keyid;
  }
  if (signers.length > 0 && by === null && problems.length === 0) {
    problems.push(
      envelope.signatures.length === 0
        ? `${name} is not signed`
        : `${name} has no signature of the given key`,
    );
  }
  return { problems, by, uncheckable };
}

/** True for a valid form: a key id is a SHA-256, and a signature has 64 bytes. */
function isFormed({ keyid, sig }: Envelope['signatures'][number]): boolean {
  return /^[0-9a-f]{64}$/.test(keyid) && /^[A-Za-z0-9+/]{85}[AQgw]==$/.test(sig);
}
