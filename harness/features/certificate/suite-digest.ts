import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeFile, packageRoot } from '../../kernel/core/index.ts';
import { sha256 } from './files.ts';

/**
 * SHA-256 over the suite's own files, in hexadecimal digits. Covers the output of `sha256sum` for the judging code
 * and its fixtures, in the order of their names.
 */
export function suiteDigest(): string {
  digest ??= sha256(listing());
  return digest;
}

let digest: string | undefined;

/** `chunks` are parts of the bundled code. */
const codeFolders = ['harness', 'suites', 'chunks'].filter((folder) =>
  existsSync(codeFile(folder, '')),
);

/** Files that exist only in a clone. The package contains the requirements in the form that the build has read. */
const onlyInClone = /^(harness\/lab|fixtures\/requirements\/\w+)\//;
const built = ['catalogue.json'].filter((file) => existsSync(codeFile(file, '')));

function listing(): string {
  const extension = import.meta.filename.endsWith('.js') ? '.js' : '.ts';
  // Tests and declarations judge nothing, compiled or not.
  const isCode = (path: string): boolean =>
    path.endsWith(extension) && !/\.(test|d)\.[jt]s$/.test(path);
  return [
    ...codeFolders.flatMap((folder) => filesIn(codeFile('', ''), folder)).filter(isCode),
    ...filesIn(packageRoot, 'fixtures'),
    ...built,
  ]
    .filter((path) => built.length === 0 || !onlyInClone.test(path))
    .sort()
    .map((path) => `${sha256(readFileSync(located(path)))}  ${path}\n`)
    .join('');
}

function located(path: string): string {
  return path.startsWith('fixtures/') ? join(packageRoot, path) : codeFile(path, '');
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .map((path) => path.replaceAll('\\', '/'));
}
