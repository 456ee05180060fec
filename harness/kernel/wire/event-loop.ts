/** Milliseconds between two looks at the event loop. */
const intervalMs = 20;
/** Shortest stall that is recorded: shorter ones are ordinary work. */
const leastStallMs = 50;
const mostKept = 1_000;

interface Stall {
  readonly from: number;
  readonly to: number;
}

const stalls: Stall[] = [];
let watching: NodeJS.Timeout | undefined;

/**
 * Watches the event loop of this thread from now on. While it stands, nothing is read, so that answers seem to
 * come later than they did, and together.
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
 * The longest time for which the event loop stood since a moment; 0 where it never did.
 *
 * @param since by `performance.now()`
 * @returns whole milliseconds
 */
export function longestStallSince(since: number): number {
  const own = stalls.filter(({ to }) => to > since);
  return Math.round(Math.max(0, ...own.map(({ from, to }) => to - Math.max(from, since))));
}
