/** `8.2 ms`, `340 ms`, `2.31 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 100_000) return inMinutes(milliseconds);
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`;
}

/** Duration of a run: `0.3 s`, `2.3 s`, `3 min 5 s`. */
export function runDuration(milliseconds: number): string {
  if (milliseconds >= 100_000) return inMinutes(milliseconds);
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function inMinutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
