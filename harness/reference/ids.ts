import { randomFillSync } from 'node:crypto';

/** Bytes of one id. */
const width = 16;
const pool = Buffer.alloc(256 * width);
let digits = '';
let used = 0;

/** Returns 32 hexadecimal digits that cannot be guessed. A pool of random bytes for many ids keeps this cheap. */
export function randomDigits(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    used = 0;
  }
  const from = used;
  used += 2 * width;
  return digits.slice(from, used);
}
