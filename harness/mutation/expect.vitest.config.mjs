import { defineConfig } from 'vitest/config';

/** The tests that mutants of `harness/expect` and of the event reader are held against. */
export default defineConfig({
  test: {
    include: ['harness/expect/**/*.test.ts', 'harness/wire/sse.test.ts'],
    setupFiles: ['harness/mutation/same-chance.mjs'],
    pool: 'threads',
    isolate: false,
  },
});
