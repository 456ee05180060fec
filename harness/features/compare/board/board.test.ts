import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import type { CheckResult, RunResult } from '../../../kernel/core/index.ts';
import { sampleCheck, sampleRun } from '../../../kernel/core/samples/run.ts';
import {
  missing,
  patience,
  startBrowser,
  usableByEveryone,
} from '../../../kernel/report/html/testing-browser.ts';
import { renderJson } from '../../../kernel/report/json.ts';
import { sampleClientRun } from '../../../kernel/report/samples/client.ts';
import { temporaryFolder } from '../../../testing.ts';

const seen = { expected: 'the text', actual: 'a digest </script>', evidence: null };
const failed = { state: 'fail', ...seen } as const;
const warned = { state: 'warn', ...seen } as const;
const alike = sampleCheck('access/keys.refused', { state: 'pass' });
const run = (name: string, startedAt: string, ...checks: readonly CheckResult[]): RunResult =>
  sampleRun(checks, { target: { name, regions: [] }, startedAt });
const runs = {
  'a/old.json': run('Acme', '2026-01-01T00:00:00.000Z', alike),
  'a/new.json': run(
    'Acme',
    '2026-02-01T00:00:00.000Z',
    alike,
    sampleCheck('storage/a.kept', failed),
  ),
  'b.json': run(
    ...(['acme!', '2026-01-15T00:00:00.000Z'] as const),
    ...[alike, sampleCheck('storage/a.kept', { state: 'pass' })],
    sampleCheck('generation/asked.not-ignored:messages.stop', warned),
    sampleCheck('models/list.shape', { state: 'not-applicable', reason: 'no list' }),
  ),
};

const folder = temporaryFolder();
const reports = join(folder, 'reports');
mkdirSync(join(reports, 'a'), { recursive: true });
mkdirSync(join(reports, 'forged'));
for (const [name, one] of Object.entries(runs)) writeFileSync(join(reports, name), renderJson(one));
writeFileSync(join(reports, 'forged', 'attestation.json'), '{}');
writeFileSync(join(reports, 'other.json'), '{"name":"package"}');
writeFileSync(join(reports, 'client.json'), renderJson(sampleClientRun()));
const site = join(folder, 'site');
const page = (path: string): string => readFileSync(join(site, path), 'utf8');
const written = await inProcess(['board', reports, '--html', site]);

describe('a board', () => {
  test('shows the newest result of each gateway, and names the files that it does not show', () => {
    expect(written.code).toBe(2);
    expect(written.out).toMatch(/Acme +nonconformant .* 1 +0 +report +2026-02-01/);
    expect(written.out).toMatch(/acme! +conformant .* 0 +1 +report +2026-01-15/);
    expect(written.out).toMatch(/Not shown: client\.json: It is the report of a client/);
    expect(written.out).toMatch(/Not shown: forged: REJECTED/);
    expect(written.out).toMatch(/Not shown: other\.json: .*is not a\s+Touchstone report/);
    expect(written.out).toContain('2 gateways, 3 results');
  });

  test('lists areas in which gateways differ first, and requirements that somebody was judged by', () => {
    const index = page('index.html');
    expect(index.indexOf('storage/a')).toBeLessThan(index.indexOf('access/keys'));
    expect(index).not.toContain('models/list');
    expect(index).toContain('<span class="cell warn" title="ignored">');
  });

  test('has a page for each gateway, with its history, and for each requirement', () => {
    const gateway = page('gateways/acme.html');
    expect(gateway.indexOf('2026-02-01')).toBeLessThan(gateway.indexOf('2026-01-01'));
    expect(gateway).toContain('a digest &lt;/script&gt;; expected the text');
    const requirement = page('requirements/storage-a-kept.html');
    expect(requirement).toContain('With <code>store</code> false a lookup');
    expect(requirement).toMatch(/<h2>Acme<\/h2>[\s\S]*✗[\s\S]*<h2>acme!<\/h2>[\s\S]*✓/);
    expect(page('gateways/acme-2.html')).toContain('<h1>acme!</h1>');
  });

  test('is written again in its place, and into no folder with other files', async () => {
    expect((await inProcess(['board', reports, '--html', site])).code).toBe(2);
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'Mine.');
    const into = await inProcess(['board', reports, '--html', other]);
    expect(into).toMatchObject({ code: 3, err: expect.stringContaining('name an empty folder') });
    const none = await inProcess(['board', join(reports, 'forged'), '--html', join(folder, 'x')]);
    expect(none).toMatchObject({ code: 3, err: expect.stringContaining('nothing to show') });
  });
});

describe('in a browser, a board', { timeout: patience }, () => {
  let context: BrowserContext | undefined;
  beforeAll(async () => {
    context = await startBrowser(join(folder, 'profile'));
  }, patience);
  afterAll(async () => {
    await context?.close();
  }, patience);

  test('can be searched, loads nothing, and is usable by everyone', async ({ skip }) => {
    if (context === undefined) return skip(missing);
    const tab = await context.newPage();
    const requests: string[] = [];
    tab.on('request', (request) => requests.push(request.url()));
    const index = pathToFileURL(join(site, 'index.html')).href;
    await tab.goto(index);
    await tab.keyboard.press('/');
    await tab.keyboard.type('STORAGE kept');
    expect(await tab.locator('#found').textContent()).toBe('1 of 3 requirements');
    expect(await tab.getByRole('link', { name: 'storage/a.kept', exact: true }).isVisible()).toBe(
      true,
    );
    expect(
      await tab.getByRole('link', { name: 'access/keys.refused', exact: true }).isVisible(),
    ).toBe(false);
    await usableByEveryone(tab);
    for (const path of ['gateways/acme.html', 'requirements/storage-a-kept.html']) {
      await tab.goto(pathToFileURL(join(site, path)).href);
      await usableByEveryone(tab);
    }
    expect(requests).toHaveLength(3);
  });
});
