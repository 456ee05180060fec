import { defineConfig } from 'vitest/config';

/** The tests that mutants of `harness/kernel/judge`, `harness/kernel/protocols` and of the event reader are run against. */
export default defineConfig({
  test: {
    include: ['harness/kernel/{judge,protocols}/**/*.test.ts', 'harness/kernel/wire/sse.test.ts'],
    setupFiles: ['harness/lab/mutation/same-chance.mjs'],
    pool: 'threads',
    isolate: false,
  },
});
