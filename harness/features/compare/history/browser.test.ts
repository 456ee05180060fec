import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { pageOf } from '../../../kernel/report/document/page.ts';
import {
  missing,
  patience,
  startBrowser,
  usableByEveryone,
} from '../../../kernel/report/html/testing-browser.ts';
import { temporaryFolder } from '../../../testing.ts';
import { historyDocument } from './document.ts';
import { sampleHistory } from './samples/history.ts';

const folder = temporaryFolder();
const file = join(folder, 'history.html');
const url = pathToFileURL(file).href;

writeFileSync(file, pageOf(historyDocument(sampleHistory())));
const context = await startBrowser(join(folder, 'profile'), {});

afterAll(async () => {
  await context?.close();
}, patience);

test(
  'in a browser, a history opens without a request, leads to a target, and is read by everyone',
  async ({ skip }) => {
    if (context === undefined) return skip(missing);
    const tab = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
    tab.on('request', (request) => requests.push(request.url()));
    await tab.goto(url);
    await tab.getByRole('link', { name: 'staging' }).focus();
    await tab.keyboard.press('Enter');
    expect(await tab.evaluate('location.hash')).toBe('#target-1');
    const runs = tab.locator('#target-1 details', { hasText: 'All runs' });
    await runs.locator('summary').focus();
    await tab.keyboard.press('Enter');
    expect(await runs.getByText('staging/0.json').isVisible()).toBe(true);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [url] });
    await usableByEveryone(tab);
  },
  patience,
);
