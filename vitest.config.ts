import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';

/**
 * Test files that wait for containers start first, so that other files run meanwhile. With
 * `--sequence.shuffle` the files come in an order that the seed draws.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const drawn = ({ moduleId }: TestSpecification): string =>
      hash('sha256', `${seed} ${moduleId}`);
    if (shuffle) return files.toSorted((one, other) => drawn(one).localeCompare(drawn(other)));
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification): boolean =>
      /container|compose/.test(basename(moduleId));
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

/** Prints the ten files that took the longest. */
const slowestFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    // A run of a few files shows their times anyway.
    if (modules.length < 100) return;
    const seconds = (module: TestModule): number => module.diagnostic().duration / 1000;
    const lines = modules
      .toSorted((one, other) => seconds(other) - seconds(one))
      .slice(0, 10)
      .map((module) => `${seconds(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
    process.stdout.write(`\n The slowest files\n${lines.join('\n')}\n`);
  },
};

/** Tests that judge gateways and clients by whole runs, or build a whole tree or package. */
const whole = [
  'deletion',
  'package',
  'features/certificate/commands/certify',
  'features/client/upstream',
  'features/provider/proof/{faults,variants}',
  'features/client/proof/clients',
  'kernel/cli/{one-protocol,secrets,vitest-verdicts,whole-run}',
  'lab/{clients/clients,mutants/mutants,second/second}',
  'proof/{generation-bound,other-proofs,proof,third-region,unlike-regions}',
  'proof/{generated/generated,honest/honest,nodes/nodes}',
].map((name) => `harness/${name}.test.ts`);

const own = {
  globalSetup: ['harness/testing-folder.ts'],
  setupFiles: ['harness/testing-file.ts'],
  pool: 'threads' as const,
  // Files that share a thread share what they import: to load it anew for each would take most of
  // the time. So what a test changes outside of itself, it changes back.
  isolate: false,
  // Vitest leaves a core free, and with two of them runs one file after another. Many tests wait
  // for processes and sockets of their own.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // A test that hangs is a defect of ours; nothing here waits longer than this, even on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Polls in tests have as long as the test: nothing is right or wrong because it is slow.
  expect: { poll: { timeout: 100_000 } },
};

export default defineConfig({
  test: {
    reporters: ['default', slowestFiles],
    sequence: { sequencer: WaitingFirst },
    projects: [
      // The tests of Touchstone itself: `npm test`.
      { test: { ...own, name: 'harness', include: ['harness/**/*.test.ts'], exclude: whole } },
      // Tests that take minutes, because they judge by many checks: `npm run test:whole`.
      { test: { ...own, name: 'whole', include: whole } },
      {
        // The checks as ordinary tests, for editors and watch mode: `npx vitest --project suites`.
        // The command needs no Vitest: see harness/run.md.
        test: {
          name: 'suites',
          include: ['suites/**/*.check.ts'],
          // These judge clients, and both sides of a gateway, which nothing plays in an editor.
          exclude: ['suites/client/**', 'suites/provider/**'],
          globalSetup: ['harness/features/library/vitest/global-setup.ts'],
          setupFiles: ['harness/features/library/vitest/setup.ts'],
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
