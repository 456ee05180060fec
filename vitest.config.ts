import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'harness',
          include: ['harness/**/*.test.ts'],
          pool: 'threads',
          // A test that hangs is a defect of ours; nothing here waits longer than this on two cores.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
