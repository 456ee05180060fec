import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../spec/result.ts';
import { call } from './testing.ts';

/** Neither chance nor the order in which answers come may decide a verdict. */
test('every verdict is the same with 1, 4 and 64 requests at a time, and with other random data', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const verdicts = async (options: string): Promise<Record<string, string>> => {
    const report = join(folder, 'report.json');
    const { code, err } = await call(`run ${options} --json ${report}`);
    const result: RunResult = JSON.parse(readFileSync(report, 'utf8'));
    const states = result.checks.map(({ id, verdict }) => [id, verdict.state] as const);
    expect(Object.fromEntries(states.filter(([, state]) => !green.has(state)))).toEqual({});
    expect({ options, code, err: /broke/.test(err) }).toEqual({ options, code: 0, err: false });
    return Object.fromEntries(states);
  };
  const first = await verdicts('--seed 1 --concurrency 1');
  expect(Object.keys(first).length).toBeGreaterThan(500);
  expect(await verdicts('--seed 2 --concurrency 4')).toEqual(first);
  expect(await verdicts('--seed 3000000000 --concurrency 64')).toEqual(first);
}, 120_000);

const green = new Set(['pass', 'note', 'not-applicable']);
