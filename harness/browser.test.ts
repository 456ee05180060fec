import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundlesDocument } from './features/certificate/list/document.ts';
import { explorationDocument } from './features/explore/report/document.ts';
import { hostileExploration } from './features/explore/report/samples/exploration.ts';
import type { CheckResult } from './kernel/core/result.ts';
import { sampleCheck, sampleChecks, sampleRun } from './kernel/core/samples/run.ts';
import { pageOf } from './kernel/report/document/page.ts';
import type { BodyView, ExchangeView } from './kernel/report/exchange-view.ts';
import { renderHtml } from './kernel/report/html/page.ts';
import {
  brokenRules,
  browser,
  missing,
  patience,
  startBrowser,
  usableByEveryone,
} from './kernel/report/html/testing-browser.ts';
import { sampleClientRun } from './kernel/report/samples/client.ts';
import {
  sampleBody,
  sampleExchange,
  sampleStream,
  sampleViews,
} from './kernel/report/samples/exchange.ts';
import { hostile, hostileRun, hostileViews } from './kernel/report/samples/hostile.ts';
import { temporaryFolder } from './testing.ts';

/** The report in a real browser: what it does, what it must not do, and whether everyone can use it. */

const page = renderHtml(hostileRun(), hostileViews());
const folder = temporaryFolder();
const file = join(folder, 'report.html');

const sharedChecks = [
  failedOn('responses/stored#main/1', 'generation/responses.one', 'error.code'),
  failedOn('responses/stored#main/1', 'generation/responses.other', 'usage'),
];
const sharedRun = sampleRun(sharedChecks);
const sharedViews = sampleViews(sharedRun, sampleExchange());

let context: BrowserContext | undefined;
let tab: Page;
let complaints: string[];
let requests: string[];

beforeAll(async () => {
  writeFileSync(file, page);
  context = await startBrowser(join(folder, 'profile'), {
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (context === undefined) return;
  tab = await context.newPage();
  tab.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('request', (request) => requests.push(request.url()));
}, patience);

afterAll(async () => {
  await context?.close();
}, patience);

beforeEach(async ({ skip }) => {
  if (browser === undefined) return skip(missing);
  complaints = [];
  requests = [];
  await tab.setViewportSize({ width: 1280, height: 900 });
  await tab.emulateMedia({ colorScheme: 'light' });
  // Loads a blank page first: changing only the fragment would not reload the page.
  await tab.goto('about:blank');
  await tab.goto(pathToFileURL(file).href);
  requests = requests.filter((url) => url !== 'about:blank');
}, patience);

const shown = (): Promise<number> => tab.locator('.check:not([hidden])').count();
const count = () => tab.locator('#count').textContent();
const check = (id: string) => tab.locator(`[id="${id}"]`);
/** The exchange of a check is put in when the browser says that it was opened, which is a little later. */
const filled = (id: string) =>
  expect.poll(() => check(id).locator('[data-exchange]').count()).toBe(0);

describe('in a browser, the report', { timeout: patience }, () => {
  test('opens without a complaint and without a request', async () => {
    expect(await tab.title()).toBe('nonconformant: staging – Touchstone');
    expect(await tab.locator('.verdict').textContent()).toContain(
      '1 MUST check failed, and 1 known failure is stale.',
    );
    await tab.locator('#open').click();
    expect(complaints).toEqual([]);
    expect(requests).toEqual([pathToFileURL(file).href]);
  });

  test('filters by text, state, level and suite, says how many are left, and forgets it all', async () => {
    await tab.locator('#text').fill('LOOKUP-SERVED stored');
    await expect.poll(count).toBe('1 of 11 checks');
    expect(await check('storage/responses.lookup-served').isVisible()).toBe(true);
    await tab.locator('#clear').click();
    expect(await count()).toBe('11 checks');

    await tab.getByRole('button', { name: /^Passed/ }).click();
    await tab.getByRole('button', { name: /^Untestable/ }).click();
    expect(await shown()).toBe(2);
    await tab.getByRole('button', { name: /^Passed/ }).click();
    expect(await shown()).toBe(1);
    await tab.getByRole('button', { name: /^MAY/ }).click();
    expect(await count()).toBe('0 of 11 checks');
    expect(await tab.locator('#nothing').isVisible()).toBe(true);
    await tab.locator('#clear').click();

    await tab.getByRole('button', { name: /^Known failures/ }).click();
    expect(await count()).toBe('1 of 11 checks');
    expect(await check('generation/responses-stream.hostile').isVisible()).toBe(true);
    await tab.getByRole('button', { name: /^Stale entries/ }).click();
    expect(await shown()).toBe(2);
    await tab.locator('#clear').click();

    await tab.getByLabel('Suite').selectOption('generation');
    expect(await shown()).toBe(6);
    expect(await tab.locator('#count').getAttribute('role')).toBe('status');
  });

  test.each([
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ])('shows the first failure on the first screen of a %s', async (_, size) => {
    await tab.setViewportSize(size);
    const path = join(folder, 'first.html');
    writeFileSync(path, renderHtml(sampleRun(sampleChecks)));
    await tab.goto(pathToFileURL(path).href);
    const found = await tab.locator('#fail .found').first().boundingBox();
    if (found === null) throw new Error('nothing failed');
    expect(found.y + found.height).toBeLessThan(size.height);
    expect(await tab.locator('#filters').isVisible()).toBe(size.width > 768);
  });

  test('marks the wrong member of a stream, in its events and as it came', async () => {
    const frames = [
      '{"model": "m-1","usage":{"total_tokens":9}}',
      '{"model": "m-1","usage":{"prompt_tokens":0,"details":{"prompt_tokens":7}}}',
    ].map((text, index) => ({
      at: index,
      from: 'gateway' as const,
      name: null,
      data: sampleBody(text),
    }));
    const raw = frames.map(({ data }) => `data: ${data.text}\n\n`).join('');
    const view = sampleStream(0, {
      stream: { over: 'sse', frames, close: null },
      answer: { ...sampleStream(0).answer, body: sampleBody(raw) } as ExchangeView['answer'],
    });
    const run = sampleRun([failedOn(view.key, 'generation/usage.one', 'usage.prompt_tokens')]);
    const path = join(folder, 'stream.html');
    writeFileSync(path, renderHtml(run, sampleViews(run, view)));
    await tab.goto(pathToFileURL(path).href);
    await check('generation/usage.one').locator('summary').first().click();
    await filled('generation/usage.one');
    const marks = check('generation/usage.one').locator('mark');
    expect(await marks.allTextContents()).toEqual(['"prompt_tokens":0', '"prompt_tokens": 0']);
    for (const mark of await marks.all()) expect(await mark.isVisible()).toBe(true);
    const pre = check('generation/usage.one').locator('.raw pre').first();
    expect(await pre.textContent()).toBe(raw);
  });

  test('a cell of the matrix shows its checks, and again shows all', async () => {
    const cell = tab.getByRole('button', { name: /^storage, Responses:/ });
    expect(await cell.textContent()).toContain('0/1');
    await cell.click();
    expect(await shown()).toBe(1);
    expect(await cell.getAttribute('aria-pressed')).toBe('true');
    await tab.getByRole('button', { name: 'Remove the filter storage · Responses' }).click();
    expect(await shown()).toBe(11);
    await tab.getByRole('button', { name: 'Chat Completions', exact: true }).click();
    expect(await shown()).toBe(1);
  });

  test('a check opens to its findings, both halves of the exchange and the source', async () => {
    const failed = check('storage/responses.lookup-served');
    await failed.locator('summary').first().click();
    await filled('storage/responses.lookup-served');
    const headers = failed.locator('.half').first().locator('dt');
    expect(await headers.allTextContents()).toEqual(['Authorization', 'User-Agent']);
    expect(await headers.nth(0).isVisible()).toBe(true);
    expect(await headers.nth(1).isVisible()).toBe(false);
    const text = (await failed.textContent()) ?? '';
    for (const part of [
      'What storage/responses.lookup-served says holds',
      'the stored response (2xx)',
      'GET https://eu.example/v1/responses/resp_1',
      '404 Not Found',
      '"no such response"',
      "curl -sS 'https://eu.example",
      'STORE-5: With store false a lookup over HTTP is not permitted.',
      'Responses API: get a response',
      'Exchange 2 of 2 in its scenario',
      'POST /v1/responses → 200',
    ]) {
      expect(text).toContain(part);
    }
    const order = ['What storage', 'Expected', 'Actual', 'Exchange', 'Repeat', 'Source'].map(
      (part) => text.toUpperCase().indexOf(part.toUpperCase()),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('the frames of a stream have their times, and open', async () => {
    const streamed = check('generation/responses-stream.hostile');
    await streamed.locator('summary').first().click();
    await filled('generation/responses-stream.hostile');
    const frames = streamed.locator('.frames > li');
    expect(await frames.count()).toBe(4);
    expect(await frames.nth(1).textContent()).toContain('30 msresponse.output_text.delta');
    await frames.nth(1).locator('summary').click();
    expect(await frames.nth(1).locator('pre').textContent()).toContain('"sequence_number": 1');
  });

  test('marks what the check found, and not what others found in the same exchange', async () => {
    const shared = join(folder, 'shared.html');
    writeFileSync(shared, renderHtml(sharedRun, sharedViews));
    await tab.goto(pathToFileURL(shared).href);
    const [one, other] = [check('generation/responses.one'), check('generation/responses.other')];
    await one.locator('summary').first().click();
    await expect.poll(() => one.locator('mark').allTextContents()).toEqual(['"code": null']);
    expect(await one.locator('.absent').count()).toBe(0);
    await one.getByText('1 other check rests on this exchange').click();
    await one.getByRole('link', { name: 'generation/responses.other' }).click();
    await expect.poll(() => other.getAttribute('open')).toBe('');
    await other.getByRole('button', { name: 'Show it here' }).click();
    expect(await other.locator('mark').count()).toBe(0);
    expect(await other.locator('.absent').textContent()).toBe('Not there: usage');
    expect(complaints).toEqual([]);
  });

  test('copies the command line, also where the clipboard is refused', async () => {
    const failed = check('storage/responses.lookup-served');
    await failed.locator('summary').first().click();
    const button = failed.getByRole('button', { name: 'Copy' }).first();
    await button.click();
    await expect.poll(() => tab.locator('#said').textContent()).toBe('Copied to the clipboard');
    expect(await tab.evaluate('navigator.clipboard.readText()')).toMatch(
      /^curl -sS .*TOUCHSTONE_KEY"$/,
    );

    await tab.evaluate(`navigator.clipboard.writeText('').then(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    })`);
    await tab.getByRole('button', { name: /Cop/ }).first().click();
    await expect
      .poll(() => tab.evaluate('navigator.clipboard.readText()'))
      .toBe('touchstone run --target FILE storage/responses.lookup-served --seed 42');
    expect(complaints).toEqual([]);
  });

  test('what a gateway sends stays text', async () => {
    await tab.locator('#open').click();
    await filled('generation/responses-stream.hostile');
    await check('generation/responses-stream.hostile').locator('.raw summary').first().click();
    expect(await tab.evaluate('window.taken')).toBeUndefined();
    expect(await tab.locator('img').count()).toBe(0);
    expect(await tab.locator('script:not([type="application/json"])').count()).toBe(1);
    const blocks = tab.locator('script[type="application/json"]');
    expect(
      await blocks.evaluateAll((all) => all.every(({ id }) => /^exchange-\d+$/.test(id))),
    ).toBe(true);
    expect(await check('generation/responses-stream.hostile').textContent()).toContain(hostile);
    expect(complaints).toEqual([]);
  });

  test('is used with the keyboard alone', async () => {
    await tab.keyboard.press('Tab');
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Skip to the checks');
    const failed = check('storage/responses.lookup-served');
    await failed.locator('summary').first().focus();
    await tab.keyboard.press('Enter');
    await filled('storage/responses.lookup-served');
    expect(await failed.getByRole('heading', { name: 'Response', exact: true }).isVisible()).toBe(
      true,
    );
    await tab.getByRole('button', { name: /^Failed/ }).focus();
    await tab.keyboard.press('Space');
    expect(await count()).toBe('2 of 11 checks');
  });

  test('an address with a check opens it', async () => {
    const id = 'generation/limits.limit-omitted:responses';
    await tab.goto(`${pathToFileURL(file).href}#${id}`);
    await expect.poll(() => check(id).getAttribute('open')).toBe('');
    expect(await check(id).locator('dl').first().isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'breaks no rule of accessibility, %s',
    async (colorScheme) => {
      await tab.emulateMedia({ colorScheme });
      expect(await brokenRules(tab)).toEqual([]);
    },
  );

  test('is readable on a phone: nothing is wider than the screen', async () => {
    await tab.setViewportSize({ width: 360, height: 740 });
    await tab.locator('#open').click();
    await filled('generation/responses-stream.hostile');
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await expect
      .poll(() => tab.evaluate(`getComputedStyle(document.body).backgroundColor`))
      .toBe('rgb(251, 251, 250)');
    await tab.emulateMedia({ colorScheme: 'dark' });
    expect(await tab.evaluate(`getComputedStyle(document.body).backgroundColor`)).not.toBe(
      'rgb(251, 251, 250)',
    );
  });
});

describe('in a browser, a large report', { timeout: patience }, () => {
  const keys = Array.from({ length: 120 }, (_, index) => `s#main/${index}`);
  const run = sampleRun(keys.map((key, index) => failedOn(key, `generation/responses.r${index}`)));
  const fileWith = (members: number): string => {
    const items = Array.from({ length: members }, (_, index) => ({ id: `item_${index}` }));
    const text = JSON.stringify(items);
    const body = { text, bytes: text.length, shown: text.length, binary: false };
    const path = join(folder, `${members}.html`);
    writeFileSync(
      path,
      renderHtml(run, sampleViews(run, ...keys.map((key) => answeredWith(key, body)))),
    );
    return path;
  };

  test('with 5 MB of exchanges opens in much less than ten times the time of one with 0.5', async () => {
    const files = [fileWith(40), fileWith(840)];
    const [small = 0, large = 0] = files.map((path) => statSync(path).size);
    expect(small).toBeLessThan(800_000);
    expect(large).toBeGreaterThan(5_000_000);
    const times: number[][] = [[], []];
    // The files take turns, so that other load of the machine affects both.
    for (let round = 0; round < 3; round++) {
      for (const [index, path] of files.entries()) {
        await tab.goto('about:blank');
        const before = performance.now();
        await tab.goto(pathToFileURL(path).href);
        await tab.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
        times[index]?.push(performance.now() - before);
      }
    }
    const [ofSmall = 0, ofLarge = 0] = times.map((all) => Math.min(...all));
    expect(ofLarge / ofSmall, `${ofSmall} ms, ${ofLarge} ms`).toBeLessThan(6);
    // Exchanges become elements only when they are opened.
    const withBodies = await tab.evaluate(
      `document.querySelectorAll('template, pre.body, mark, pre b').length`,
    );
    expect(withBodies).toBe(0);
  });
});

describe('in a browser, the report of a client', { timeout: patience }, () => {
  const clientFile = join(folder, 'client.html');

  beforeEach(async () => {
    writeFileSync(clientFile, renderHtml(sampleClientRun()));
    await tab.goto(pathToFileURL(clientFile).href);
  });

  test('leads from the table to the start in which the client sent again', async () => {
    await tab.getByRole('link', { name: '2 generations, Messages' }).click();
    const start = tab.locator('[id="start-client-reset-messages-0"]');
    await expect.poll(() => start.isVisible()).toBe(true);
    expect(await start.locator('li.again').textContent()).toContain('generation 2 of 2');
    await tab.getByRole('link', { name: '1 generation, Responses' }).first().click();
    const closed = tab.locator('[id="scenario-client/served"]');
    await expect.poll(() => closed.getAttribute('open')).toBe('');
    expect(complaints).toEqual([]);
  });

  test('draws what was sent in the order of its time', async () => {
    const marks = tab.locator('[id="start-client-reset-messages-0"] .track rect');
    const places = await marks.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().left),
    );
    expect(places).toHaveLength(4);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  test('can be used by everyone, on a phone, too', () => usableByEveryone(tab));
});

test(
  'in a browser, an exploration is read by everyone, on paper and on a phone, too',
  async () => {
    const exploredFile = join(folder, 'explored.html');
    const views = new Map([['s#5/0', sampleExchange()]]);
    writeFileSync(
      exploredFile,
      pageOf(explorationDocument(hostileExploration(), { exchanges: views })),
    );
    requests = [];
    await tab.goto(pathToFileURL(exploredFile).href);
    expect(await tab.locator('script, img').count()).toBe(0);
    expect(await tab.getByRole('img', { name: /Sequence of requests/ }).count()).toBe(2);
    expect(requests).toEqual([pathToFileURL(exploredFile).href]);
    await tab.emulateMedia({ media: 'print' });
    const paper = await tab.locator('.sequence').first().boundingBox();
    expect(paper?.width).toBeGreaterThan(500);
    await tab.emulateMedia({ media: 'screen' });
    await usableByEveryone(tab);
    expect(complaints).toEqual([]);
  },
  patience,
);

test(
  'in a browser, a list of bundles is read by everyone, and does nothing',
  async () => {
    const listFile = join(folder, 'list.html');
    const of = { startedAt: '2025-01-02T03:04:05.000Z', covers: 'profile chat; 9 of 99 MUSTs' };
    const about = { ...of, subject: hostile, place: hostile };
    const list = bundlesDocument(
      [
        { name: 'a', word: 'VERIFIED', level: 'signed', about, problems: [], report: 'a.html' },
        {
          name: hostile,
          word: 'REJECTED',
          level: null,
          about: null,
          problems: [hostile],
          report: null,
        },
      ],
      { folder: 'vendors', meanings: [['VERIFIED, signed', 'By the key that you named.']] },
    );
    writeFileSync(listFile, pageOf(list));
    requests = [];
    await tab.goto(pathToFileURL(listFile).href);
    expect(await tab.locator('tbody tr:not(.below)').count()).toBe(3);
    expect(await tab.locator('script, img, svg').count()).toBe(0);
    expect(requests).toEqual([pathToFileURL(listFile).href]);
    await usableByEveryone(tab);
  },
  patience,
);

/** A failed check that was judged on this exchange, and found something at these places. */
function failedOn(exchange: string, id: string, ...places: string[]): CheckResult {
  const evidence = {
    ...{ exchange, request: 'GET /v1/responses/resp_1', outcome: '404' },
    ...{ received: 'what came', curl: 'curl x' },
  };
  return sampleCheck(id, { state: 'fail', expected: 'this', actual: 'that', evidence, places });
}

function answeredWith(key: string, body: BodyView): ExchangeView {
  const view = sampleExchange({ key });
  return view.answer === null ? view : { ...view, answer: { ...view.answer, body } };
}
