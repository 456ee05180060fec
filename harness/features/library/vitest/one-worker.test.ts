import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../kernel/core/package-root.ts';
import { assertOneWorker } from './one-worker.ts';

const right = { pool: 'threads', isolate: false, maxWorkers: 1 };

test('one worker thread without isolation is right', () => {
  expect(() => assertOneWorker(right)).not.toThrow();
});

test.each([
  [{ isolate: true }, 'isolate: true (expected false)'],
  [{ maxWorkers: 4 }, 'maxWorkers: 4 (expected 1)'],
  [{ pool: 'forks' }, "pool: 'forks' (expected 'threads')"],
])('%o is refused', (change, said) => {
  expect(() => assertOneWorker({ ...right, ...change })).toThrow(said);
});

test('Vitest with isolation ends before any check is run', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--project', 'suites', '--isolate', '--reporter', 'json'],
      'suites/generation/responses.check.ts',
    ],
    // A clean environment, so that Vitest does not take itself for a worker of this test.
    { cwd: packageRoot, encoding: 'utf8', env: { PATH: process.env.PATH, NO_COLOR: '1' } },
  );
  expect(stderr).toContain('Checks share one memo of scenarios and one limiter');
  expect(stderr).toContain('isolate: true (expected false)');
  expect(stdout).not.toContain('generation/responses.shape');
  expect(status).toBe(1);
});
