import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';
import { temporaryFolder } from './testing.ts';

/** Features that nothing else imports. */
const deletable = ['compare', 'containers', 'observe'] as const;

/** A copy of the tree, from which the features are deleted one after another. */
const copy = temporaryFolder();
const configurations = ['package.json', 'tsconfig.json', 'tsconfig.client.json'];
const others = ['tsconfig.build.json', 'vitest.config.ts', 'CHANGELOG.md', 'README.md'];
for (const name of ['harness', 'suites', 'fixtures', ...configurations, ...others]) {
  cpSync(join(packageRoot, name), join(copy, name), { recursive: true });
}
symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));

async function inCopy(command: string, ...line: readonly string[]): Promise<string> {
  const program = join(packageRoot, 'node_modules', '.bin', command);
  const { stdout } = await promisify(execFile)(program, line, { cwd: copy, maxBuffer: 2 ** 26 });
  return stdout;
}

test.each(deletable)('without %s the project compiles', async (name) => {
  rmSync(join(copy, 'harness', 'features', name), { recursive: true });
  const list = join(copy, 'harness', 'features.ts');
  const line = `  import('./features/${name}/feature.ts'),\n`;
  const registered = readFileSync(list, 'utf8');
  expect(registered).toContain(line);
  writeFileSync(list, registered.replace(line, ''));
  await inCopy('tsc', '--noEmit', '-p', 'tsconfig.json');
});

test('without all of them it passes the tests of the command line and of the layers', async () => {
  const files = ['harness/layers.test.ts', 'harness/kernel/cli/program.test.ts'];
  const said = await inCopy(
    'vitest',
    'run',
    '--project',
    'harness',
    '--reporter',
    'json',
    ...files,
  );
  const { success, numPassedTests } = JSON.parse(said.slice(said.indexOf('{')));
  expect({ success, some: numPassedTests > 40 }).toEqual({ success: true, some: true });
});
