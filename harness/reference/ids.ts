import { randomFillSync } from 'node:crypto';

/** Bytes of one id. */
const width = 16;
const pool = Buffer.alloc(256 * width);
let digits = '';
let used = 0;

/** 32 hexadecimal digits that nobody can guess. Drawn for many ids at a time, which is what makes it cheap. */
export function randomDigits(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    used = 0;
  }
  const from = used;
  used += 2 * width;
  return digits.slice(from, used);
}
