/** Time of a run. The clock is monotonic, so that a correction of the system clock has no effect. */
export interface Clock {
  /** Milliseconds since the start of the run. */
  now(): number;
}

/** Returns a clock that reads 0 now. */
export function startClock(): Clock {
  const start = performance.now();
  return { now: () => performance.now() - start };
}
