import { resolve } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { assertInstalled, codeFile, packageRoot } from '../../kernel/core/index.ts';

export interface TouchstoneOptions {
  /**
   * Path of a target file, relative to the folder in which Vitest is started. Default: the value of the variable
   * TOUCHSTONE_TARGET, or else the reference gateway, started for the run.
   */
  readonly target?: string;
  /** Repeats the random data of an earlier run. Default: the variable TOUCHSTONE_SEED, else 1. */
  readonly seed?: number;
}

/**
 * A project for your own Vitest, in which every check is an ordinary test, named by its id.
 *
 * ```ts
 * // vitest.config.ts
 * import { defineConfig } from 'vitest/config';
 * import { touchstone } from 'gateway-touchstone/vitest';
 *
 * export default defineConfig({
 *   test: { projects: [touchstone({ target: 'gateway.yaml' })] },
 * });
 * ```
 *
 * `npx vitest run --project touchstone -t generation/responses` runs some of them. A broken MUST is a failed test,
 * a broken SHOULD an annotation, and a check that cannot be judged is skipped with its reason. Vitest's exit code
 * does not include an overall verdict: use the command for that, and for reports.
 *
 * Throttled requests (429, a lockout) are not repeated. `touchstone run` repeats them at its end, but Vitest runs
 * one file after another and reports a test when it has ended. No test can run after all others, and a retry during
 * the run would meet the same limit again.
 *
 * @throws {MissingPackage} when Vitest is not installed: it does not come with Touchstone
 */
export function touchstone({
  target,
  seed,
}: TouchstoneOptions = {}): TestProjectInlineConfiguration {
  assertInstalled('gateway-touchstone/vitest', 'vitest');
  const own = 'harness/features/library/vitest';
  return {
    root: packageRoot,
    test: {
      name: 'touchstone',
      include: [codeFile('suites/**/*.check')],
      // Vitest excludes node_modules by default, but this package is there. Checks of clients are excluded, because
      // they have no gateway to judge, and so are those of both sides, because nothing plays the providers.
      exclude: [codeFile('suites/client/**', ''), codeFile('suites/provider/**', '')],
      globalSetup: [codeFile(`${own}/global-setup`)],
      setupFiles: [codeFile(`${own}/setup`)],
      provide: {
        touchstoneProject: {
          target: target === undefined ? null : resolve(target),
          seed: seed ?? null,
        },
      },
      // Checks share one memo of scenarios and one limiter: see vitest/one-worker.ts.
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true, hooks: 'stack' },
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      // The limits of the target file set all timeouts.
      testTimeout: 0,
      hookTimeout: 0,
      // No request is sent twice.
      retry: 0,
      // Vitest evaluates the setup file again for each test file, which it cannot do with modules that Node has loaded.
      server: { deps: { inline: [/\/vitest\/setup\.js$/] } },
    },
  };
}
