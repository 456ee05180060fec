import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../kernel/cli/testing.ts';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { readReport } from '../../kernel/report/read-report.ts';
import { clients } from './clients.ts';

/** Drivers whose clients the repository has installed: `touchstone client --adapter NAME`. */
const drivers = [...new Map(clients.map((client) => [client.driver, client])).values()];
const id = 'client/retries.none-when-uncertain:reset';

// The folder is in the repository, so that a file in it finds the clients that are installed there.
const place = mkdtempSync(join(packageRoot, 'node_modules', '.touchstone-clients-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Judges a client that meets a reset, and returns the state of the check. */
async function judged(driver: string, withFile: string | null): Promise<string | undefined> {
  const report = join(place, `${driver}.json`);
  const own = withFile === null ? '' : ` --with ${withFile}`;
  const line = `client ${id} --adapter ${driver}${own} --seed 1 --quiet --json ${report}`;
  const { code, out, err } = await inProcess(line, { PATH: process.env.PATH });
  expect([0, 1, 2], out + err).toContain(code);
  const { checks } = readReport(readFileSync(report, 'utf8'), report);
  return checks.find((check) => check.id === id)?.verdict.state;
}

describe.each(drivers)('$driver', ({ driver, withoutRetries }) => {
  test.runIf(withoutRetries !== null)('sends once with retries switched off', async () => {
    const file = join(place, `${driver}.mjs`);
    writeFileSync(file, withoutRetries ?? '');
    expect(await judged(driver, file)).toBe('pass');
  });
});

test.each([
  ['openai', 'fail'],
  ['google-genai', 'pass'],
])('%s at its defaults: %s', async (driver, state) => {
  expect(await judged(driver, null)).toBe(state);
});

test('an adapter that there is not is answered with those that there are', async () => {
  const { code, err } = await inProcess('client --adapter driver');
  expect(code).toBe(3);
  expect(err).toContain('There is no adapter "driver"; there are ai-sdk, anthropic, ');
});

test('a file of settings that there is not is named', async () => {
  const { code, err } = await inProcess(
    `client --adapter openai --with ${join(place, 'none.mjs')}`,
  );
  expect(code).toBe(3);
  expect(err).toContain('there is no such file');
});
