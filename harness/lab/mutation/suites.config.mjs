/** Mutants of the suites, against the proof: sound gateways, modest ones, and faults. See README.md. */
export default {
  testRunner: 'proof',
  plugins: ['./harness/lab/mutation/proof-runner.mjs', './harness/lab/mutation/words.mjs'],
  ignorers: ['words'],
  mutate: ['suites/**/*.ts'],
  coverageAnalysis: 'perTest',
  // Mutants in code that runs while loading would need a reload each, which would take most of the time.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 60,
  // Stryker rewrites the paths of a tsconfig with an interface that TypeScript 7 no longer has; ours has none.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'reports'],
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/suites.html' },
  jsonReporter: { fileName: 'reports/mutation/suites.json' },
  allowConsoleColors: false,
};
