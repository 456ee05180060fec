/** Options of Vitest that decide in how many workers, with a memory of their own, the checks run. */
interface WorkerOptions {
  readonly pool: string;
  readonly isolate: boolean;
  readonly maxWorkers: number;
}

/**
 * The memo of scenarios and the limiter live in the memory of one worker. With a second one, or a
 * fresh one for each file, every scenario would be sent and paid for again, past the limits.
 *
 * @throws {Error} naming the options that stand in the way
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
