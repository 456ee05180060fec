/** Milliseconds between two checks of the event loop. */
const intervalMs = 20;
/** Shortest stall that is recorded, in milliseconds. Shorter ones are ordinary work. */
const leastStallMs = 50;
const mostKept = 1_000;

interface Stall {
  readonly from: number;
  readonly to: number;
}

const stalls: Stall[] = [];
let watching: NodeJS.Timeout | undefined;

/**
 * Starts to watch the event loop of this thread. While it is blocked, nothing is read, so answers appear to arrive
 * later than they did, and together.
 */
export function watchEventLoop(): void {
  if (watching !== undefined) return;
  let last = performance.now();
  watching = setInterval(() => {
    const now = performance.now();
    if (now - last - intervalMs > leastStallMs) {
      stalls.push({ from: last, to: now });
      if (stalls.length > mostKept) stalls.shift();
    }
    last = now;
  }, intervalMs).unref();
}

/**
 * Returns the longest time that the event loop was blocked since a moment, in whole milliseconds. 0 if it never was.
 *
 * @param since by `performance.now()`
 */
export function longestStallSince(since: number): number {
  const own = stalls.filter(({ to }) => to > since);
  return Math.round(Math.max(0, ...own.map(({ from, to }) => to - Math.max(from, since))));
}
