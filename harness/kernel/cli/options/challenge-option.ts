import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../terminal/index.ts';

export const challengeHelp =
  'what a verifier made up: the random data and the ids of all requests follow from it, so the run came later';

/** Long enough that answers to it cannot be prepared. */
const form = /^[A-Za-z0-9._~+/=:-]{16,128}$/;

/** Parses the challenge of a verifier. */
export function challenge(text: string): string {
  if (form.test(text)) return text;
  throw new InvalidArgumentError(
    'Expected 16 to 128 letters, digits and ._~+/=:- that the verifier made up, such as what ' +
      '`openssl rand -hex 16` prints.',
  );
}

/** @throws {UsageError} if both a seed and a challenge are given */
export function assertOneSeed({
  seed,
  challenge: given,
}: {
  readonly seed?: number | undefined;
  readonly challenge?: string | undefined;
}): void {
  if (seed === undefined || given === undefined) return;
  throw new UsageError('The seed follows from --challenge: leave out --seed.');
}
