import { request } from 'node:http';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../kernel/cli/testing.ts';
import {
  brokenRules,
  missing,
  patience,
  startBrowser,
} from '../../kernel/report/html/testing-browser.ts';
import { temporaryFolder } from '../../testing.ts';
import { LivePage } from './page.ts';

const broken = {
  ...({ id: 'storage/a.kept', state: 'fail', expected: 'the text' } as const),
  ...{ actual: '<img src=x onerror=alert(1)>', evidence: null },
};
const progress = {
  ...{ scenarios: 9, scenariosDone: 3, inFlight: 1, requests: 40 },
  ...{ checks: 12, judged: 4, failed: 1 },
  suites: [{ suite: 'storage', checks: 12, judged: 4, failed: 1, undecided: 0 }],
  broken: [broken],
};
const report = '<!doctype html><title>The report</title><p>All of it.</p>';

describe('the live page', { timeout: patience }, () => {
  let context: BrowserContext | undefined;
  beforeAll(async () => {
    context = await startBrowser(join(temporaryFolder(), 'profile'));
  }, patience);
  afterAll(async () => {
    await context?.close();
  }, patience);

  test('shows progress and failures as they come, and becomes the report', async ({ skip }) => {
    if (context === undefined) return skip(missing);
    const page = await LivePage.start('staging');
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => {
      // A browser asks for a picture by itself.
      if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
    });
    page.show(progress);
    await tab.goto(page.url);
    await expect
      .poll(() => tab.locator('#progress').textContent())
      .toContain('4 of 12 checks judged, 1 failed');
    page.show({ ...progress, broken: [broken, { ...broken, id: 'storage/b.kept' }] });
    await expect.poll(() => tab.locator('#broken details').count()).toBe(2);
    expect(await tab.locator('#broken details').first().textContent()).toContain('<img src=x');
    expect(await brokenRules(tab)).toEqual([]);
    await page.become(report);
    page.close();
    await expect.poll(() => tab.title()).toBe('The report');
    expect(complaints).toEqual([]);
  });
});

test('it answers nobody who comes by another name or path, and waits for nobody who does not look', async () => {
  const page = await LivePage.start('staging');
  const { origin, pathname } = new URL(page.url);
  const statusOf = async (path: string, host?: string): Promise<number> => {
    return new Promise((resolve, reject) => {
      const headers = host === undefined ? {} : { host };
      request(origin + path, { headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  };
  expect(await statusOf(pathname)).toBe(200);
  expect(await statusOf(pathname, 'evil.example')).toBe(403);
  expect(await statusOf('/')).toBe(404);
  expect(await statusOf(`${pathname}report`)).toBe(404);
  await page.become(report);
  expect(await statusOf(`${pathname}report`)).toBe(200);
  page.close();
});

test('a run prints its address, and several targets have none', async () => {
  const line = ['run', '--reference', 'embedded', '--seed', '1', '--ui', 'models/catalog'];
  const { err } = await inProcess(line);
  expect(err).toMatch(/Live: http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}\//);
  const several = ['run', '--target', 'a.yaml', '--target', 'b.yaml', '--ui'];
  expect(await inProcess(several)).toMatchObject({
    code: 3,
    err: expect.stringContaining('--ui shows one run'),
  });
});
