import { createHash, randomUUID } from 'node:crypto';
import { seedOf } from './seed.ts';

/** Long enough that nobody has answers to it ready. */
const form = /^[A-Za-z0-9._~+/=:-]{16,128}$/;

export function isChallenge(text: string): boolean {
  return form.test(text);
}

/** Values that the random data and the request ids of a run derive from. */
interface RunIdentity {
  readonly seed: number;
  readonly runId: string;
}

/**
 * The seed and the id of a run. Those of a run for a verifier's challenge follow from it: so does whatever is
 * derived from them, the random data of each request and its id, and nothing that was sent before the challenge
 * was known can have them. The start keeps the ids of two runs for one challenge apart: a ledger has both.
 */
export function runIdentity(
  seed: number,
  challenge: string | undefined,
  startedAt: string,
): RunIdentity {
  if (challenge === undefined) return { seed, runId: randomUUID() };
  return { seed: seedOf(0, 'challenge', challenge) >>> 1, runId: runIdFor(challenge, startedAt) };
}

/** In the form of a random UUID. */
function runIdFor(challenge: string, startedAt: string): string {
  const hex = createHash('sha256').update(['run', challenge, startedAt].join('\0')).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
