import { hash } from 'node:crypto';

/** Returns a 32-bit seed for one use of random data, from the run's seed and the use's names. */
export function seedOf(seed: number, ...names: string[]): number {
  const digest = hash('sha256', [String(seed), ...names].join('\0'), 'hex');
  return Number.parseInt(digest.slice(0, 8), 16);
}
