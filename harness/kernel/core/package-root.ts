import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of `package.json`: the same whether this runs from the sources, from `dist/` or from
 * `node_modules/`, where the fixtures lie at different depths below the code.
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

/** An absolute path below `fixtures/`. */
export function fixture(...path: string[]): string {
  return join(packageRoot, 'fixtures', ...path);
}
