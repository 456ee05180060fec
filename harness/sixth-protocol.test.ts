import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from './kernel/core/package-root.ts';
import { temporaryFolder } from './testing.ts';

/** A copy of the tree, which the compiler is asked about. */
const copy = temporaryFolder();
const configurations = ['package.json', 'tsconfig.json', 'tsconfig.client.json'];
for (const name of ['harness', 'suites', 'vitest.config.ts', ...configurations]) {
  cpSync(join(packageRoot, name), join(copy, name), { recursive: true });
}
symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));

/** The files that the compiler finds errors in. */
async function wrongFiles(): Promise<readonly string[]> {
  const compiler = join(packageRoot, 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['--noEmit', '-p', copy], {
    cwd: copy,
    maxBuffer: 2 ** 26,
  }).catch((error: { readonly stdout: string }) => error);
  const named = [...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
  return [...new Set(named)].sort();
}

/** Files that CONTRIBUTING.md lists for adding a protocol. */
function listedFiles(): readonly string[] {
  const page = readFileSync(join(packageRoot, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = /^## Add a protocol\n(.*?)^## /ms.exec(page) ?? [];
  return [...section.matchAll(/^ *- `([^`]+\.ts)`/gm)].map(([, file = '']) => file).sort();
}

test('CONTRIBUTING.md lists the files that the compiler names for a sixth protocol', async () => {
  const file = join(copy, 'harness', 'kernel', 'core', 'protocol.ts');
  const source = readFileSync(file, 'utf8');
  const added = source.replaceAll(
    /(protocols = \[\n[^\]]*)\] as const/gi,
    "$1  'sixth',\n] as const",
  );
  expect(added.match(/'sixth'/g)).toHaveLength(2);
  writeFileSync(file, added);
  expect(await wrongFiles()).toEqual(listedFiles());
});
