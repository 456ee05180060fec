import { createHash } from 'node:crypto';

/** Numbers that look random and are the same for the same seed, and for what they are drawn for. */
export class Draws {
  readonly #for: string;
  #drawn = 0;

  constructor(seed: number, ...what: string[]) {
    this.#for = [seed, ...what].join(' ');
  }

  /** Draws a number: 0 … `choices` − 1. */
  below(choices: number): number {
    const text = `${this.#for} ${this.#drawn++}`;
    return createHash('sha256').update(text).digest().readUInt32BE(0) % choices;
  }

  one<T>(from: readonly T[]): T {
    const drawn = from[this.below(from.length)];
    if (drawn === undefined) throw new Error('There is nothing to draw from.');
    return drawn;
  }
}
