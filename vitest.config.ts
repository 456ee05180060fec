import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        // The tests of Touchstone itself: `npm test`.
        test: {
          name: 'harness',
          include: ['harness/**/*.test.ts'],
          globalSetup: ['harness/testing-folder.ts'],
          pool: 'threads',
          // Files that share a thread share what they import: to load it anew for each would take most of
          // the time. So what a test changes outside of itself, it changes back.
          isolate: false,
          // Vitest leaves a core free, and with two of them runs one file after another. Many tests wait
          // for processes and sockets of their own.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          // A test that hangs is a defect of ours; nothing here waits longer than this on two cores.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // The checks as ordinary tests, for editors and watch mode: `npx vitest --project suites`.
        // The command needs no Vitest: see harness/README.md.
        test: {
          name: 'suites',
          include: ['suites/**/*.check.ts'],
          // These judge clients: `touchstone client`.
          exclude: ['suites/client/**'],
          globalSetup: ['harness/adapters/vitest/global-setup.ts'],
          setupFiles: ['harness/adapters/vitest/setup.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 0,
          hookTimeout: 0,
          retry: 0,
        },
      },
    ],
  },
});
