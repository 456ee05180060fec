import { exitCodes } from '../../kernel/core/index.ts';

/**
 * Levels of trust in a bundle that was not rejected, which depend on what its verifier provided. All words and exit
 * codes of levels are defined in this module.
 */
export const levels = {
  /** Consistent, but the verifier named no required signer. */
  intact: {
    word: 'INTACT',
    exitCode: exitCodes.undecided,
    claim: 'agrees with itself, and says that it is the certificate of a conformant',
    worth:
      'Nobody whom you named signed it: anybody could have made it, of any host, at any time. Name the ' +
      'key of whom you trust: --public-key FILE.',
  },
  /** Intact, and made after the verifier's challenge. */
  challenged: {
    word: 'INTACT',
    exitCode: exitCodes.undecided,
    claim: 'agrees with itself, and says that it is the certificate of a conformant',
    worth:
      'It was made for your challenge, so not before it. Nobody whom you named signed it: whoever had ' +
      'the challenge could have made it, of any host. Name the key of whom you trust: --public-key FILE.',
  },
  /** Signed by a key that the verifier named. */
  signed: {
    word: 'VERIFIED',
    exitCode: exitCodes.conformant,
    claim: 'is the certificate of a conformant',
    worth: 'Signed by the key that you named: host and time are what its owner says.',
  },
  /** Signed by a named key, and made after the verifier's challenge. */
  witnessed: {
    word: 'VERIFIED',
    exitCode: exitCodes.conformant,
    claim: 'is the certificate of a conformant',
    worth:
      'Signed by the key that you named, and made for your challenge, so not before it: the host is what ' +
      'the owner of the key says.',
  },
} as const satisfies Record<string, LevelWords>;

export type Level = keyof typeof levels;

interface LevelWords {
  /** The first word that `verify` prints. */
  readonly word: string;
  readonly exitCode: number;
  /** Text between the name of the bundle and the noun of its subject. */
  readonly claim: string;
  /** Conclusion for a reader, in a sentence. */
  readonly worth: string;
}

/**
 * @param isSigned true for a signature of a named key
 * @param isChallenged true for a run made after the challenge of its verifier
 */
export function levelOf(isSigned: boolean, isChallenged: boolean): Level {
  if (isSigned) return isChallenged ? 'witnessed' : 'signed';
  return isChallenged ? 'challenged' : 'intact';
}

/** Words for a bundle that is not a certificate, with or without a signature. */
export const nonconformant = {
  word: 'NONCONFORMANT',
  exitCode: exitCodes.nonconformant,
  claim: 'is no certificate: it is the bundle of a nonconformant',
} as const;

/** Words for a bundle that is intact but does not meet the demands of its verifier. */
export const less = {
  word: 'REFUSED',
  exitCode: exitCodes.nonconformant,
  claim: 'is intact, and less than you demand',
} as const;

/** Words for a bundle that is over a limit of size, depth, time or memory. */
export const over = {
  word: 'UNJUDGED',
  exitCode: exitCodes.unjudged,
  claim: 'cannot be judged: it is over a limit, and no bundle of an honest run is',
} as const;

export const rejected = {
  word: 'REJECTED',
  exitCode: exitCodes.nonconformant,
  claim: 'is not what it claims to be',
} as const;
