import { resolve } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { assertInstalled, codeFile, packageRoot } from '../../kernel/core/index.ts';

/** Options of the Vitest project that runs the checks. */
export interface TouchstoneOptions {
  /**
   * A target file; a relative path counts from the folder that Vitest is started in. Default: the one
   * that the variable TOUCHSTONE_TARGET names; without it, the reference gateway, started for the run.
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
 * `npx vitest run --project touchstone -t generation/responses` runs some of them. A broken MUST is a
 * failed test, a broken SHOULD an annotation, and what cannot be judged is skipped with its reason.
 * Vitest's exit code knows no verdict over the whole: for that, and for reports, use the command.
 *
 * What a gateway put off (429, a lockout) is not asked for once more here, as `touchstone run` does at its
 * end: Vitest runs one file after another and reports a test when it has ended, so no test comes when all
 * else is there, and asking amid the rest would meet the same limit again.
 *
 * @throws {MissingPackage} where Vitest is not installed: it does not come with Touchstone
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
      // Vitest leaves out node_modules by default, and that is where this package lies. What judges clients
      // has no gateway to judge.
      exclude: [codeFile('suites/client/**', '')],
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
      // The limits of the target file decide how long anything may take.
      testTimeout: 0,
      hookTimeout: 0,
      // Nothing is sent twice.
      retry: 0,
      // Vitest evaluates the set-up again for each file, which it cannot do with what Node has loaded.
      server: { deps: { inline: [/\/vitest\/setup\.js$/] } },
    },
  };
}
