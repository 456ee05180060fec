import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { loadCatalogue } from '../core/catalogue.ts';
import { packageRoot } from '../core/package-root.ts';
import type { RunOrder } from './order.ts';

/**
 * Starts Vitest for one run in this process: one worker thread without isolation, in which all checks
 * share one memo of scenarios and one limiter.
 *
 * @param checks path of the module that defines the checks; default: one that imports all of the suites
 */
export function startVitest(order: RunOrder, checks?: string): Promise<Vitest> {
  return withOwnSignals(() => create(order, checks));
}

async function create(order: RunOrder, checks?: string): Promise<Vitest> {
  const { requirements, citations, specification, digest } = loadCatalogue();
  const here = import.meta.dirname;
  // Compiled code is imported as it is; the sources go through Vite, because Node 20 reads no types.
  const compiled = existsSync(join(here, 'entry.check.js'));
  const extension = compiled ? 'js' : 'ts';
  return createVitest(
    'test',
    {
      config: false,
      root: packageRoot,
      include: [checks ?? join(here, `entry.check.${extension}`)],
      exclude: [],
      setupFiles: [join(here, `setup.${extension}`)],
      watch: false,
      reporters: [{}],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true, hooks: 'stack' },
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 5_000,
      retry: 0,
      provide: {
        touchstone: order,
        touchstoneCatalogue: { requirements, citations, specification, digest },
      },
      ...(compiled ? { server: { deps: { external: [/\.js$/] } } } : {}),
    },
    { logLevel: 'error', clearScreen: false },
  );
}

/**
 * Vitest listens for SIGINT itself, and ends the process without a report. Whoever runs the command
 * decides what an interruption means, so its listeners are taken off again.
 */
async function withOwnSignals<T>(create: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const created = await create();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.removeListener(signal, listener);
    }
  }
  return created;
}
