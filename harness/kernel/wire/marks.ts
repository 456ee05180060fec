import type { Chunk } from '../core/index.ts';

/** Pieces closer together than this are merged, because times have millisecond resolution. */
const togetherMs = 1;
/** Pieces are also merged if their distance is below this share of the time since the first one. */
const share = 1 / 8192;

/** Arrival times of the pieces of a body. Pieces that come close together share a mark. */
export class Marks {
  readonly #marks: { readonly at: number; end: number }[] = [];

  add(at: number, end: number): void {
    const last = this.#marks.at(-1);
    const [first = last] = this.#marks;
    const together = Math.max(togetherMs, (at - (first?.at ?? at)) * share);
    if (last !== undefined && at - last.at < together) last.end = end;
    else this.#marks.push({ at, end });
  }

  /** Returns the pieces that make up the first `bytes` bytes. */
  within(bytes: number): Chunk[] {
    return this.#marks
      .filter((_, index) => (this.#marks[index - 1]?.end ?? 0) < bytes)
      .map(({ at, end }) => ({ at, end: Math.min(end, bytes) }));
  }
}
