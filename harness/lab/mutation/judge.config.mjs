/** Mutants of what reads and judges answers, against its unit tests. See README.md. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'harness/lab/mutation/judge.vitest.config.mjs', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './harness/lab/mutation/words.mjs'],
  ignorers: ['words'],
  mutate: [
    'harness/kernel/{judge,protocols}/**/*.ts',
    'harness/kernel/wire/{sse,event-reader,body}.ts',
    '!harness/**/*.test.ts',
    // The words of the report.
    '!harness/kernel/judge/{wording,index}.ts',
  ],
  coverageAnalysis: 'perTest',
  // Mutants in code that runs while loading would need a reload each, which would take most of the time.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 5_000,
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', 'reports'],
  // Stryker rewrites the paths of a tsconfig with an interface that TypeScript 7 no longer has; ours has none.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/judge.html' },
  jsonReporter: { fileName: 'reports/mutation/judge.json' },
  allowConsoleColors: false,
};
