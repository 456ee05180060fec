import { createHash, randomUUID } from 'node:crypto';
import { seedOf } from './seed.ts';

/** Values that the random data and the request ids of a run derive from. */
export interface RunIdentity {
  readonly seed: number;
  readonly runId: string;
}

/**
 * Returns the seed and the id of a run. For a verifier's challenge both derive from it, and so do the random data
 * and the id of each request: nothing sent before the challenge was known can have them. The id includes the start
 * time, so that a ledger distinguishes two runs for one challenge.
 */
export function runIdentity(
  seed: number,
  challenge: string | undefined,
  startedAt: string,
): RunIdentity {
  if (challenge === undefined) return { seed, runId: randomUUID() };
  return { seed: seedOf(0, 'challenge', challenge) >>> 1, runId: runIdFor(challenge, startedAt) };
}

/** Formats the hash as a random UUID. */
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
