/** Options of Vitest that determine the number of workers with separate memory. */
interface WorkerOptions {
  readonly pool: string;
  readonly isolate: boolean;
  readonly maxWorkers: number;
}

/**
 * Requires a single worker: its memory holds the memo of scenarios and the limiter. With a second worker, or a new
 * one for each file, every scenario would be sent and paid for again, beyond the limits.
 *
 * @throws {Error} naming the conflicting options
 */
export function assertOneWorker({ pool, isolate, maxWorkers }: WorkerOptions): void {
  const wrong = [
    ...(pool === 'threads' ? [] : [`pool: '${pool}' (expected 'threads')`]),
    ...(isolate ? ['isolate: true (expected false)'] : []),
    ...(maxWorkers === 1 ? [] : [`maxWorkers: ${maxWorkers} (expected 1)`]),
  ];
  if (wrong.length === 0) return;
  throw new Error(
    'Checks share one memo of scenarios and one limiter, so they run in one worker thread without ' +
      `isolation. Vitest was told ${wrong.join(', ')}: leave these options as vitest.config.ts has ` +
      'them, and off the command line.',
  );
}
