import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';

const script = join(packageRoot, 'dist', 'harness', 'main.js');
const folder = temporaryFolder();

if (!existsSync(script)) throw new Error(`There is no ${script}: run \`npm run build\` first`);

function call(...line: string[]): Promise<number | string | null | undefined> {
  // Temporary files go to this folder, too, so that the test sees what is left of them.
  const env = { ...process.env, TMPDIR: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...line], { cwd: folder, env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
}

test('--html alone records for itself, shows what was exchanged, and leaves nothing behind', async () => {
  // A MAY, whose finding rests on an exchange even where nothing is wrong.
  const before = readdirSync(folder);
  const code = await call('demo', 'generation/limits.limit-omitted', '--html', 'out/report.html');
  expect(code).toBe(2);
  const page = readFileSync(join(folder, 'out', 'report.html'), 'utf8');
  expect(page).toContain('Only</dt><dd>generation/limits.limit-omitted');
  expect(page).toMatch(/<script type="application\/json" id="exchange-0">.*<b>POST<.*<\/script>/);
  expect(page).not.toContain('The exchange was not recorded.');
  expect(readdirSync(folder).sort()).toEqual([...before, 'out'].sort());
});
