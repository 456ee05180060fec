/** Tells the time of a run: a monotonic reading, so that a corrected system clock moves nothing. */
export interface Clock {
  /** Milliseconds since the start of the run. */
  now(): number;
}

/** A clock that stands at 0 now. */
export function startClock(): Clock {
  const start = performance.now();
  return { now: () => performance.now() - start };
}
