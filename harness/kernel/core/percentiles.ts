/** Durations in milliseconds in ascending order, each with its number of occurrences. */
type SeenTimes = readonly (readonly [milliseconds: number, times: number])[];

/** In milliseconds: the shortest durations that these shares of all do not exceed. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /**
   * Durations from which the percentiles are computed, so that those of several runs can be combined. They are
   * rounded to two significant figures, which keeps the list short.
   */
  readonly seen: SeenTimes;
}

const figures = 2;

/** @param times in any order, possibly with repetitions */
export function percentilesOf(times: Iterable<SeenTimes[number]>): Percentiles {
  const counts = new Map<number, number>();
  for (const [milliseconds, count] of times) {
    const time = Number(milliseconds.toPrecision(figures));
    counts.set(time, (counts.get(time) ?? 0) + count);
  }
  const seen = [...counts].sort(([one], [other]) => one - other);
  const all = seen.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number): number => {
    let below = 0;
    for (const [time, count] of seen) {
      below += count;
      if (below >= share * all) return time;
    }
    return 0;
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), seen };
}
