import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../core/package-root.ts';
import { exampleIn } from '../testing.ts';

test('the example of the library runs as it stands, from the package by its name', async () => {
  const example = exampleIn(join(import.meta.dirname, 'library.ts'));
  expect(example).toContain("from 'gateway-touchstone'");
  // The package may import itself by its name, and then gets what was built: npm run build.
  const line = ['--input-type=module', '--eval', example];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, line, {
    cwd: packageRoot,
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('# ');
  expect(stdout).toMatch(/generation \| .*\d/);
  expect(stdout).toContain('the same again partial');
});
