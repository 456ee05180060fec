import { seeded } from '../engine.ts';
import type { PaceOptions } from './script.ts';

export interface Pacing extends PaceOptions {
  /** Seed of the jitter. Default 1. */
  readonly seed?: number;
}

/** Computes the delays of each answer; each answer draws new jitter, in the order of their starts. */
export class Pacer {
  readonly #pacing: Pacing | null;
  #answers = 0;

  constructor(pacing: Pacing | null) {
    this.#pacing = pacing;
  }

  /**
   * Returns a function for the milliseconds before each successive token of one answer; null without a pace.
   *
   * @param own pace that a script sets for this answer
   * @param usualMs default delay between two tokens
   */
  waits(own: PaceOptions | null, usualMs: number): (() => number) | null {
    if (this.#pacing === null && own === null) return null;
    const {
      firstTokenMs,
      tokensPerSecond,
      jitter = 0,
      seed = 1,
    }: Pacing = { ...this.#pacing, ...own };
    const tokenMs = tokensPerSecond === undefined ? usualMs : 1000 / tokensPerSecond;
    const random = seeded(seed * 1_000_003 + this.#answers++);
    let next = firstTokenMs ?? tokenMs;
    return () => {
      const wait = next * (1 + jitter * (2 * random() - 1));
      next = tokenMs;
      return wait;
    };
  }
}

/** Returns the milliseconds until the whole answer is written. */
export function wholeMs(tokens: number, wait: () => number): number {
  let sum = 0;
  for (let token = 0; token < tokens; token++) sum += wait();
  return sum;
}
