import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine; undefined where there is none. */
export const browser = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find(isExecutable);

/** Reason why a test of a page is skipped. */
export const missing = `no browser: none of ${names.join(', ')} is on the PATH`;

/** A browser takes its time to start where everything else runs, too. */
export const patience = 120_000;

/** Starts the browser; undefined where there is none. @throws {Error} where there is none in continuous integration */
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
