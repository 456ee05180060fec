/** `8.2 ms`, `340 ms`, `2.31 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 100_000) {
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`;
}
