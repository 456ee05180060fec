import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { deliverReports } from './deliver.ts';
import { openInBrowser } from './open-in-browser.ts';
import { inOurTexts, programOf } from './terminal.ts';
import { memoryTerminal } from './testing-terminal.ts';

const folder = temporaryFolder();
const files = { html: join(folder, 'report.html'), json: join(folder, 'report.json') };
const result = sampleRun(sampleChecks);
const nothing = async () => ({ views: new Map() });

/** A program that says in a file what it was asked to open. */
function opener(): { readonly program: string; readonly opened: string } {
  const program = join(folder, 'open.sh');
  const opened = join(folder, 'opened');
  writeFileSync(
    program,
    `#!/bin/sh\nprintf %s "$1" > ${opened}.part\nmv ${opened}.part ${opened}\n`,
  );
  chmodSync(program, 0o755);
  return { program, opened };
}

test('files that were written are named, and the one for a browser is opened', async () => {
  const { program, opened } = opener();
  const terminal = memoryTerminal({ BROWSER: program, PATH: process.env.PATH });
  await deliverReports(result, files, nothing, terminal, { quiet: false, open: true });
  expect(terminal.written).toEqual({ out: `Written: ${files.html}, ${files.json}\n`, err: '' });
  await expect.poll(() => existsSync(opened)).toBe(true);
  expect(readFileSync(opened, 'utf8')).toBe(files.html);
});

test('where nobody would see it, it says so and opens nothing', async () => {
  const terminal = memoryTerminal({ CI: 'true' });
  await deliverReports(result, files, nothing, terminal, { quiet: true, open: true });
  expect(terminal.written).toEqual({
    out: '',
    err: `${files.html} was not opened: nobody looks on in CI.\n`,
  });
  expect(await openInBrowser('a.html', {}, 'linux')).toMatch(/^there is no display/);
  const gone = join(folder, 'no-such-program');
  expect(await openInBrowser('a.html', { BROWSER: gone }, 'linux')).toContain('ENOENT');
});

test('our texts name the command as it was typed', () => {
  const text =
    'Then: touchstone doctor\n`touchstone run` of touchstone.yaml; User-Agent: gateway-touchstone x';
  expect(inOurTexts(text, 'npx gateway-touchstone')).toBe(
    'Then: npx gateway-touchstone doctor\n`npx gateway-touchstone run` of touchstone.yaml; User-Agent: gateway-touchstone x',
  );
  expect(inOurTexts(text)).toBe(text);
  expect(inOurTexts('touchstone run', 'node main.js')).toBe('node main.js run');
});

test('lines to copy begin as the command was begun', () => {
  expect(programOf('/a/node_modules/.bin/touchstone', {})).toBe('npx --no gateway-touchstone');
  expect(programOf('/a/.npm/_npx/1/x.js', { npm_command: 'exec' })).toBe(
    'npx --no gateway-touchstone',
  );
  expect(programOf('/usr/local/bin/touchstone', {})).toBe('touchstone');
  expect(programOf(join(process.cwd(), 'dist/main.js'), {})).toBe('node dist/main.js');
});
