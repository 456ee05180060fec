import type { Chunk } from '../core/index.ts';

/** Pieces that come closer together are taken for one: the time is kept to a millisecond. */
const togetherMs = 1;
/** And to so small a part of the time since the first one. */
const share = 1 / 8192;

/** When the pieces of a body came: not one mark for each, but as many as tell the time. */
export class Marks {
  readonly #marks: { readonly at: number; end: number }[] = [];

  add(at: number, end: number): void {
    const last = this.#marks.at(-1);
    const [first = last] = this.#marks;
    const together = Math.max(togetherMs, (at - (first?.at ?? at)) * share);
    if (last !== undefined && at - last.at < together) last.end = end;
    else this.#marks.push({ at, end });
  }

  /** Of the first bytes only. */
  within(bytes: number): Chunk[] {
    return this.#marks
      .filter((_, index) => (this.#marks[index - 1]?.end ?? 0) < bytes)
      .map(({ at, end }) => ({ at, end: Math.min(end, bytes) }));
  }
}
