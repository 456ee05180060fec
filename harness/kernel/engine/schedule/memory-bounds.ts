import { type Exchange, mostThings } from '../../core/index.ts';
import type { Limits } from '../../targets/index.ts';
import {
  defaultMaxBodyBytes,
  defaultMaxFrames,
  mostHeaderBytes,
  spooledFrom,
  type WireOptions,
} from '../../wire/index.ts';

/**
 * Bytes that a run at one target keeps, before it keeps only the beginning of each answer. Long bodies are in a
 * file (`wire/spool.ts`), everything else is in memory.
 */
const most = { inFile: 1024 * 1024 * 1024, inMemory: 128 * 1024 * 1024 } as const;
/** More than the event of one token takes in any protocol. */
const tokenBytes = 1024;
/** Upper bound on the lines, members and values of such an event. */
const tokenThings = 128;
/** Number of exchanges that may be in flight, each with the maximum size. */
const underWay = 8;
/** Memory overhead of a frame, and of the time of a chunk, in bytes. */
const frameBytes = 128;
const markBytes = 64;
/** Minimum size that is kept of each answer, however much was kept before. */
const leastBodyBytes = 64 * 1024;
const leastHeaderBytes = 16 * 1024;
/** A conversation of all turns at their longest has fewer frames. */
const framesPerToken = 4;
export class MemoryBounds {
  readonly #bodyBytes: number;
  readonly #longRunTokens: number;
  #inFile = 0;
  #inMemory = 0;

  /** Allows an answer as long as the longest that is requested. */
  constructor({ limits }: { readonly limits: Pick<Limits, 'longRunTokens'> }) {
    this.#longRunTokens = limits.longRunTokens;
    this.#bodyBytes = Math.max(defaultMaxBodyBytes, limits.longRunTokens * tokenBytes);
  }

  /** Number of bytes that the next WebSocket may receive. They stay in memory. */
  get maxSocketBytes(): number {
    return this.#bytesWithin(most.inMemory - this.#inMemory);
  }

  /** Limits for the answer of the next exchange. */
  get wire(): Pick<
    Required<WireOptions>,
    'maxBodyBytes' | 'maxThings' | 'maxFrames' | 'maxHeaderBytes'
  > {
    const share = (most.inMemory - this.#inMemory) / underWay;
    const leastFrames = this.#longRunTokens * framesPerToken;
    const mostFrames = Math.max(defaultMaxFrames, leastFrames);
    return {
      maxBodyBytes: this.#bytesWithin(most.inFile - this.#inFile),
      maxThings: Math.max(mostThings, this.#longRunTokens * tokenThings),
      maxHeaderBytes: Math.max(leastHeaderBytes, Math.min(mostHeaderBytes, Math.floor(share / 32))),
      maxFrames: Math.max(leastFrames, Math.min(mostFrames, Math.floor(share / frameBytes))),
    };
  }

  #bytesWithin(left: number): number {
    return Math.max(leastBodyBytes, Math.min(this.#bodyBytes, Math.floor(left / underWay)));
  }

  kept(exchange: Exchange): void {
    const { inFile, inMemory } = taken(exchange);
    this.#inFile += inFile;
    this.#inMemory += inMemory;
  }

  gone(exchange: Exchange): void {
    const { inFile, inMemory } = taken(exchange);
    this.#inFile = Math.max(0, this.#inFile - inFile);
    this.#inMemory = Math.max(0, this.#inMemory - inMemory);
  }
}

function taken({ response, socket }: Exchange): {
  readonly inFile: number;
  readonly inMemory: number;
} {
  const bytes = response?.body.length ?? 0;
  const isLong = bytes >= spooledFrom;
  let inMemory = isLong ? 0 : bytes;
  inMemory += (response?.chunks.length ?? 0) * markBytes;
  for (const [name, value] of response?.headers ?? []) inMemory += name.length + value.length + 1;
  for (const { data } of socket?.frames ?? []) inMemory += data.length + frameBytes;
  return { inFile: isLong ? bytes : 0, inMemory };
}
