import { randomFillSync } from 'node:crypto';

/** Bytes of one id. */
const width = 16;
const pool = Buffer.alloc(256 * width);
let used = pool.length;

/** 32 hexadecimal digits that nobody can guess. Drawn for many ids at a time, which is what makes it cheap. */
export function randomDigits(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const from = used;
  used += width;
  return pool.toString('hex', from, used);
}
