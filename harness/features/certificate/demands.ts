import { TargetError } from '../../kernel/targets/index.ts';
import type { Demands } from './inspect.ts';
import { readPublicKey } from './keys.ts';
import { readPolicy } from './policy-file.ts';

/** Demands of a verifier, as command lines and programs give them: paths of files. */
export interface Demanded {
  /** A file with the Ed25519 key (SPKI, PEM) that must have signed. */
  readonly publicKey?: string | undefined;
  /** A file that says what is demanded: `fixtures/policy.schema.json`. */
  readonly policy?: string | undefined;
  /** Names of `fixtures/profiles.yaml` that must be met. */
  readonly profiles?: readonly string[] | undefined;
  /** SHA-256 of other builds of the suite that may have made it. */
  readonly otherBuilds?: readonly string[] | undefined;
  /** Challenge that the verifier made for this run. */
  readonly challenge?: string | null | undefined;
  /** Hosts at which each region must be. */
  readonly hosts?: readonly string[] | undefined;
  /** Days that the run may lie back. */
  readonly maxAgeDays?: number | undefined;
}

/** Reads the files that say what is demanded. @throws {TargetError | BadKey} */
export function demandsOf({
  publicKey,
  policy: file,
  profiles = [],
  otherBuilds = [],
  challenge = null,
  hosts = [],
  maxAgeDays,
}: Demanded): Demands {
  const policy = file === undefined ? null : readPolicy(file);
  if (file !== undefined && policy?.publicKeys !== undefined && publicKey !== undefined) {
    const message = 'The command line names a public key, too: name keys in one place.';
    throw new TargetError(file, [{ place: null, field: 'publicKeys', message }]);
  }
  const keys = publicKey === undefined ? (policy?.publicKeys ?? []) : [publicKey];
  return {
    signers: keys.map(readPublicKey),
    otherBuilds: [...otherBuilds, ...(policy?.suite?.builds ?? [])],
    ...{ challenge, profiles, policy },
    origin: {
      ...(hosts.length === 0 ? {} : { hosts }),
      ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
    },
  };
}
