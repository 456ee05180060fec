import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine. Undefined if there is none. */
export const browser = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find(isExecutable);

/** Reason why a test of a page is skipped. */
export const missing = `no browser: none of ${names.join(', ')} is on the PATH`;

/** Timeout in milliseconds. A browser starts slowly while other tests run. */
export const patience = 120_000;

/**
 * Starts the browser. Returns undefined if there is none.
 *
 * @throws {Error} when it is missing in continuous integration
 */
export async function startBrowser(
  profile: string,
  { args = [], ...more }: { readonly args?: readonly string[] } & Omit<Options, 'args'> = {},
): Promise<BrowserContext | undefined> {
  if (browser === undefined) {
    if (process.env.CI === 'true') throw new Error(missing);
    return undefined;
  }
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
    ...more,
  });
  context.setDefaultTimeout(30_000);
  return context;
}

type Options = NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const openAll = `for (const part of document.querySelectorAll('details')) part.open = true`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Checks accessibility in light and dark mode with everything unfolded, and checks that nothing exceeds the width
 * of a phone.
 */
export async function usableByEveryone(tab: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    expect(await brokenRules(tab)).toEqual([]);
  }
  await tab.setViewportSize({ width: 360, height: 740 });
  await tab.evaluate(openAll);
  expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
}

/** Returns the accessibility violations of the page with everything unfolded. */
export async function brokenRules(tab: Page): Promise<unknown> {
  await tab.evaluate(openAll);
  await expect.poll(() => tab.locator('[data-exchange]').count()).toBe(0);
  await tab.evaluate(axe);
  return tab.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  );
}
