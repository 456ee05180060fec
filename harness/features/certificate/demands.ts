import { TargetError } from '../../kernel/targets/index.ts';
import { assertApart } from '../../kernel/terminal/index.ts';
import type { Demands } from './inspect.ts';
import { readPublicKey } from './keys.ts';
import { readPolicy } from './policy-file.ts';

/** Demands of a verifier in the form of command lines and programs, with paths of files. */
export interface Demanded {
  /** A file with the Ed25519 key (SPKI, PEM) of the required signature. */
  readonly publicKey?: string | undefined;
  /** A file with the policy, described by `fixtures/policy.schema.json`. */
  readonly policy?: string | undefined;
  /** Names of required profiles in `fixtures/profiles.yaml`. */
  readonly profiles?: readonly string[] | undefined;
  /** SHA-256 of other accepted builds of the suite. */
  readonly otherBuilds?: readonly string[] | undefined;
  /** Challenge of the verifier for this run. */
  readonly challenge?: string | null | undefined;
  /** Accepted hosts for each region. */
  readonly hosts?: readonly string[] | undefined;
  /** Maximum age of the run in days. */
  readonly maxAgeDays?: number | undefined;
}

/** Reads the files of the demands. @throws {TargetError | UsageError} */
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
  for (const key of policy?.publicKeys ?? []) assertApart('read', key, `${key} of the policy`);
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
