import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../core/result.ts';
import { call, start } from './testing.ts';

/** Whole runs by the command. `prove --determinism` holds the same under many more conditions. */

const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
const patience = 120_000;
const green = new Set(['pass', 'note', 'not-applicable']);

/** The state of every check, in a run that is green. */
async function verdicts(options: string): Promise<Record<string, string>> {
  const report = join(folder, 'report.json');
  const { code, err } = await call(`run ${options} --json ${report}`);
  expect({ options, code, broke: /broke/.test(err) }).toEqual({ options, code: 0, broke: false });
  const result: RunResult = JSON.parse(readFileSync(report, 'utf8'));
  const states = result.checks.map(({ id, verdict }) => [id, verdict.state] as const);
  expect(states.length).toBeGreaterThan(500);
  expect(states.filter(([, state]) => !green.has(state))).toEqual([]);
  return Object.fromEntries(states);
}

test('every verdict is the same with one request at a time, and with many in another order', {
  timeout: patience,
}, async () => {
  const file = join(folder, 'served.yaml');
  const { written, ended, interrupt } = start(`serve --port 0 --write-target ${file}`);
  await expect.poll(() => written.out, { timeout: patience }).toContain('http://127.0.0.1:');
  // With the same seed it sends the same words, for a gateway that might know them again: a run leaves no
  // trace in a gateway that changes a verdict of the next one.
  const options = `--target ${file} --seed 3000000000 --rps 10000`;
  const first = await verdicts(`${options} --concurrency 1 --serial`);
  expect(await verdicts(`${options} --concurrency 64 --shuffle`)).toEqual(first);
  interrupt();
  expect((await ended).code).toBe(0);
});
