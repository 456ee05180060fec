import { createHash } from 'node:crypto';

/** A 32-bit seed for one use of chance, from the run's seed and the names of that use. */
export function seedOf(seed: number, ...names: string[]): number {
  return createHash('sha256')
    .update([String(seed), ...names].join('\0'))
    .digest()
    .readUInt32BE(0);
}
