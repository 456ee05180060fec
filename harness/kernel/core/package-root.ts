import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/**
 * The folder of `package.json`. The fixtures lie at different depths below the code, depending on whether it runs
 * from the sources, from `dist/` or from `node_modules/`.
 */
export const packageRoot: string = (() => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${import.meta.dirname}`);
    folder = parent;
  }
  return folder;
})();

const codeRoot = import.meta.filename.endsWith('.js') ? join(packageRoot, 'dist') : packageRoot;

/**
 * Returns the absolute path of a file of the running code: the bundle in `dist/`, or the sources.
 *
 * @param path below the root, without its extension
 * @param extension default: that of the code
 */
export function codeFile(path: string, extension: string = extname(import.meta.filename)): string {
  return join(codeRoot, path + extension);
}

/** Returns an absolute path below `fixtures/`. */
export function fixture(...path: string[]): string {
  return join(packageRoot, 'fixtures', ...path);
}

/** The version of this suite, from `package.json`. */
export const suiteVersion: string = (() => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
})();
