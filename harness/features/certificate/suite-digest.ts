import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';
import { sha256 } from './files.ts';

/**
 * SHA-256 over the suite's own files, in hexadecimal digits: over the lines that `sha256sum` prints
 * for the code that judges and the fixtures that it judges by, in the order of their names.
 */
export function suiteDigest(): string {
  digest ??= sha256(listing());
  return digest;
}

let digest: string | undefined;

/** Root of the running code: `dist/` in the package, or the sources. */
const codeRoot = join(import.meta.dirname, '..', '..', '..');

/** Files that exist only in a clone. */
const judgesNothing = /^harness\/lab\//;

function listing(): string {
  const extension = import.meta.filename.endsWith('.js') ? '.js' : '.ts';
  // Compiled or not: tests and declarations judge nothing.
  const isCode = (path: string): boolean =>
    path.endsWith(extension) && !/\.(test|d)\.[jt]s$/.test(path);
  return [
    ...filesIn(codeRoot, 'harness').filter(isCode),
    ...filesIn(codeRoot, 'suites').filter(isCode),
    ...filesIn(packageRoot, 'fixtures'),
  ]
    .filter((path) => !judgesNothing.test(path))
    .sort()
    .map((path) => `${sha256(readFileSync(located(path)))}  ${path}\n`)
    .join('');
}

function located(path: string): string {
  return join(path.startsWith('fixtures/') ? packageRoot : codeRoot, path);
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .map((path) => path.replaceAll('\\', '/'));
}
