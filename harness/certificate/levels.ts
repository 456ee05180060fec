import { exitCodes } from '../core/index.ts';

/**
 * What a bundle that was not rejected is worth: that depends on what its verifier brought. The words of each
 * level, and its exit code, stand here and nowhere else.
 */
export const levels = {
  /** All of it agrees. Whoever made it: the verifier named nobody who must have. */
  intact: {
    word: 'INTACT',
    exitCode: exitCodes.undecided,
    claim: 'agrees with itself, and says that it is the certificate of a conformant',
    worth:
      'Nobody whom you named signed it: anybody could have made it, of any host, at any time. Name the ' +
      'key of whom you trust: --public-key FILE.',
  },
  /** The same, but made after the verifier's challenge. */
  challenged: {
    word: 'INTACT',
    exitCode: exitCodes.undecided,
    claim: 'agrees with itself, and says that it is the certificate of a conformant',
    worth:
      'It was made for your challenge, so not before it. Nobody whom you named signed it: whoever had ' +
      'the challenge could have made it, of any host. Name the key of whom you trust: --public-key FILE.',
  },
  /** By a key that the verifier named. */
  signed: {
    word: 'VERIFIED',
    exitCode: exitCodes.conformant,
    claim: 'is the certificate of a conformant',
    worth: 'Signed by the key that you named: host and time are what its owner says.',
  },
  /** The same, and made after the verifier's challenge. */
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
  /** Between the name of the bundle and the noun of what was judged. */
  readonly claim: string;
  /** What a reader can build on, in a sentence. */
  readonly worth: string;
}

/** @param isSigned by a key that was named @param isChallenged made for the challenge of its verifier */
export function levelOf(isSigned: boolean, isChallenged: boolean): Level {
  if (isSigned) return isChallenged ? 'witnessed' : 'signed';
  return isChallenged ? 'challenged' : 'intact';
}

/** Of a bundle that is no certificate, whoever signed it. */
export const nonconformant = {
  word: 'NONCONFORMANT',
  exitCode: exitCodes.nonconformant,
  claim: 'is no certificate: it is the bundle of a nonconformant',
} as const;

/** Of a bundle that is what it says, and not what its verifier demands. */
export const less = {
  word: 'REFUSED',
  exitCode: exitCodes.nonconformant,
  claim: 'is intact, and less than you demand',
} as const;

export const rejected = {
  word: 'REJECTED',
  exitCode: exitCodes.nonconformant,
  claim: 'is not what it claims to be',
} as const;
