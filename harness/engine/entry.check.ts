import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentSession } from './current-session.ts';
import { testEveryTarget } from './every-target.ts';

/**
 * The one module that the command runs: it imports every check file, in order of their names. Vitest
 * runs modules one after another, so one module is what lets all scenarios start together.
 */
const suites = join(import.meta.dirname, '..', '..', 'suites');

const files = readdirSync(suites, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.check\.[jt]s$/.test(path))
  .sort();

const { many, runs } = currentSession();

for (const file of files) {
  await import(/* @vite-ignore */ pathToFileURL(join(suites, file)).href);
}

if (many !== null && many !== undefined) testEveryTarget(runs, many);
