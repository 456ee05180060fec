import { decode } from './decode.ts';

const mask = '*'.charCodeAt(0);

/** Bytes in which secrets are masked in place. */
export interface Maskable {
  readonly bytes: Uint8Array;
  /** @returns true if a part was not masked before */
  mask(from: number, to: number): boolean;
}

/** Bytes that are copied before the first masking, because they belong to the caller. */
export class Masked implements Maskable {
  bytes: Uint8Array;
  #isCopy = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  mask(from: number, to: number): boolean {
    if (isMasked(this.bytes, from, to)) return false;
    if (!this.#isCopy) this.bytes = Uint8Array.from(this.bytes);
    this.#isCopy = true;
    this.bytes.fill(mask, from, to);
    return true;
  }
}

/** Returns the text encoded in another one, or null if nothing is encoded. Masking it masks the outer text as well. */
export function decoded(from: Maskable): Maskable | null {
  const read = decode(from.bytes);
  if (read === null) return null;
  const { bytes, source } = read;
  return {
    bytes,
    mask(start, end) {
      bytes.fill(mask, start, end);
      return from.mask(source(start), source(end));
    },
  };
}

/** A range of other bytes. */
export interface Part {
  readonly of: Maskable;
  readonly from: number;
  readonly to: number;
}

export function joined(parts: readonly Part[]): Maskable {
  const bytes = Buffer.concat(parts.map(({ of, from, to }) => of.bytes.subarray(from, to)));
  const starts: number[] = [];
  let length = 0;
  for (const { from, to } of parts) {
    starts.push(length);
    length += to - from;
  }
  return {
    bytes,
    mask(start, end) {
      bytes.fill(mask, start, end);
      let isNew = false;
      for (let index = lastAtMost(starts, start); index < parts.length; index++) {
        const part = parts[index];
        const at = starts[index] ?? 0;
        if (part === undefined || at >= end) break;
        const from = part.from + Math.max(0, start - at);
        const to = Math.min(part.to, part.from + end - at);
        if (from < to && part.of.mask(from, to)) isNew = true;
      }
      return isNew;
    },
  };
}

function lastAtMost(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

function isMasked(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== mask) return false;
  return true;
}
