import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { fixture, packageRoot } from '../../kernel/core/package-root.ts';
import { startReference } from './mock.ts';

/** Every snippet of the page is run as it stands there, but for the port. */
const page = readFileSync(fixture('mock', 'clients.md'), 'utf8');
const snippets = [...page.matchAll(/^## (.+)\n[\s\S]*?```js\n([\s\S]*?)```/gm)].map(
  ([, title = '', code = '']) => [title, code] as const,
);

const gateway = await startReference({ regions: ['eu'] });
// The folder is in the repository, so that a snippet finds the clients that are installed there.
const place = mkdtempSync(join(packageRoot, 'node_modules', '.touchstone-page-'));
afterAll(async () => {
  rmSync(place, { recursive: true, force: true });
  await gateway.close();
});

test('there are seven', () => expect(snippets).toHaveLength(7));

test.each(snippets)('%s', { timeout: 30_000 }, async (title, code) => {
  expect(code).toContain('http://127.0.0.1:8787');
  const file = join(place, `${title.replaceAll(/\W/g, '-')}.mjs`);
  writeFileSync(file, code.replace('http://127.0.0.1:8787', gateway.baseUrl));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    gateway.clearRequests();
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect(log.mock.lastCall?.join(' ')).toMatch(/\S/);
    const statuses = gateway.requests().map(({ status }) => status);
    expect(statuses).not.toHaveLength(0);
    expect(new Set(statuses)).toEqual(new Set([title === 'fetch' ? 503 : 200]));
  } finally {
    log.mockRestore();
  }
});
