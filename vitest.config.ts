import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        // The tests of Touchstone itself: `npm test`.
        test: {
          name: 'harness',
          include: ['harness/**/*.test.ts'],
          pool: 'threads',
          // A test that hangs is a defect of ours; nothing here waits longer than this on two cores.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // The checks as ordinary tests, for editors and watch mode: `npx vitest --project suites`.
        // The command does not use this; it runs one module that imports them all.
        test: {
          name: 'suites',
          include: ['suites/**/*.check.ts'],
          globalSetup: ['harness/check/global-setup.ts'],
          setupFiles: ['harness/check/setup.ts'],
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
