import { seeded } from '../engine.ts';
import type { PaceOptions } from './script.ts';

/** Pace of a mock that imitates a model. */
export interface Pacing extends PaceOptions {
  /** Draws the jitter. Default 1. */
  readonly seed?: number;
}

/** Gives each answer its waits, drawn anew in the order in which they begin. */
export class Pacer {
  readonly #pacing: Pacing | null;
  #answers = 0;

  constructor(pacing: Pacing | null) {
    this.#pacing = pacing;
  }

  /**
   * Milliseconds before each token of one answer, one after another; null where nothing is said of them.
   *
   * @param own what a script says of this answer
   * @param usualMs between two tokens, where nothing else is said
   */
  waits(own: PaceOptions | null, usualMs: number): (() => number) | null {
    if (this.#pacing === null && own === null) return null;
    const {
      firstTokenMs,
      tokensPerSecond,
      jitter = 0,
      seed = 1,
    }: Pacing = {
      ...this.#pacing,
      ...own,
    };
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

/** Milliseconds until all of it is written. */
export function wholeMs(tokens: number, wait: () => number): number {
  let sum = 0;
  for (let token = 0; token < tokens; token++) sum += wait();
  return sum;
}
