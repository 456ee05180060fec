import { defineConfig } from 'vitest/config';

/** The tests that mutants of `harness/judge`, `harness/protocols` and of the event reader are run against. */
export default defineConfig({
  test: {
    include: ['harness/{judge,protocols}/**/*.test.ts', 'harness/wire/sse.test.ts'],
    setupFiles: ['harness/lab/mutation/same-chance.mjs'],
    pool: 'threads',
    isolate: false,
  },
});
