import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { faults } from '../../proof/faults/index.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { run } from '../engine/run.ts';
import { loadTarget } from '../targets/load.ts';
import { targetFileOf } from '../targets/served-target-file.ts';

/**
 * The engine and Vitest are front ends of equal rank: both come to the same verdicts, though the one asks for much at
 * a time in an order that is drawn, and the other for one thing after another. What the first has left in the gateway
 * changes no verdict of the second: both send the same words. `prove --determinism` holds it under more conditions.
 */

const folder = temporaryFolder();

/** States of the checks of a right gateway. */
const right: ReadonlySet<CheckVerdict['state'] | undefined> = new Set([
  'pass',
  'note',
  'not-applicable',
]);

type States = Readonly<Record<string, CheckVerdict['state'] | undefined>>;

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly meta: { readonly touchstone?: CheckVerdict };
    }[];
  }[];
}

/** The verdicts of Vitest on the checks of some files, each as its test shows it. */
async function withVitest(target: string, files: readonly string[]): Promise<States> {
  const report = join(folder, 'vitest.json');
  const child = spawn(
    process.execPath,
    [
      join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--project', 'suites', '--reporter', 'json', '--outputFile', report],
      ...files,
    ],
    // A clean environment, so that Vitest does not take itself for a worker of this test.
    {
      cwd: packageRoot,
      env: { PATH: process.env.PATH, TOUCHSTONE_TARGET: target },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await once(child, 'exit');
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { title, status, meta } of tests) {
    expect({ title, status }).toEqual({ title, status: statusOf(meta.touchstone?.state) });
  }
  return Object.fromEntries(tests.map(({ title, meta }) => [title, meta.touchstone?.state]));
}

function statusOf(state: CheckVerdict['state'] | undefined): string {
  if (state === 'pass' || state === 'warn' || state === 'note') return 'passed';
  return state === 'not-applicable' || state === 'untestable' ? 'skipped' : 'failed';
}

async function withEngine(file: string, ids: readonly string[]): Promise<States> {
  const only = { ids, others: 'Not asked for' };
  const target = loadTarget(file);
  const { checks } = await run({
    target: { ...target, limits: { ...target.limits, concurrency: 64 } },
    seed: 1,
    only,
    sequence: { shuffle: true },
  });
  const judged = checks.filter(({ verdict }) => verdict.state !== 'excluded');
  return Object.fromEntries(judged.map(({ id, verdict }) => [id, verdict.state]));
}

test.each<[fault: string | null, files: readonly string[], checks: number]>([
  [null, [], 850],
  ['auth.keyless-lookup', ['suites/access/credentials.check.ts'], 10],
  ['limits.ignored-on-websocket', ['suites/generation/limits.check.ts'], 10],
])(
  'with the defect %s every check has the same verdict',
  { timeout: 240_000 },
  async (fault, files, least) => {
    const defect = faults.find(({ id }) => id === fault);
    const gateway = await startReference(defect === undefined ? {} : { defect });
    const target = join(folder, 'target.yaml');
    const limits = { concurrency: 1, requestsPerSecond: null };
    writeFileSync(target, stringify({ ...parse(targetFileOf(gateway)), limits }));
    try {
      const vitest = await withVitest(target, files);
      const engine = await withEngine(target, Object.keys(vitest));
      expect(engine).toEqual(vitest);
      expect(Object.keys(engine).length).toBeGreaterThan(least);
      const states = Object.values(engine);
      if (fault === null) expect(states.filter((state) => !right.has(state))).toEqual([]);
      else expect(states).toContain('fail');
    } finally {
      await gateway.close();
    }
  },
);
