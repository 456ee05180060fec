import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** The version of this suite, from `package.json`. */
export const suiteVersion: string = (() => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
})();
