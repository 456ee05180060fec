import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from './kernel/core/package-root.ts';

/**
 * For tests: the first code block of a file's doc comments, as a reader would copy it.
 *
 * @throws {Error} when there is none
 */
export function exampleIn(file: string): string {
  const block = /```ts\n([\s\S]*?)```/.exec(readFileSync(file, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${file} has no code block`);
  return block.replaceAll(/^ \* ?/gm, '');
}

/** A new folder for files of a test. `testing-folder.ts` removes it with all others when the tests have ended. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'touchstone-'));

/** Sources by their path from the package root, with `/` between its parts. */
export type Sources = ReadonlyMap<string, string>;

/** Tests that quote imports which must not be. */
const quotingImports = ['layers', 'exports', 'doors', 'deletion'].map(
  (name) => `harness/${name}.test.ts`,
);

/** All sources below these folders of the package. */
export function sourcesOf(...folders: string[]): Sources {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(packageRoot, folder), { recursive: true })) {
      const path = `${folder}/${entry.toString().replaceAll('\\', '/')}`;
      if (quotingImports.includes(path)) continue;
      if (path.endsWith('.ts')) sources.set(path, readFileSync(join(packageRoot, path), 'utf8'));
    }
  }
  return sources;
}

/**
 * The room of a path from the package root: `harness/kernel/engine`, `harness/proof` or `suites/access`; null for
 * files of no room, such as `harness/index.ts`.
 */
export function roomOf(path: string): string | null {
  const [top = '', folder = '', third = ''] = path.split('/');
  if (folder.endsWith('.ts') || third === '') return null;
  return ['kernel', 'features'].includes(folder) ? `${top}/${folder}/${third}` : `${top}/${folder}`;
}

/** Tests, and what only they use, by its path. `tsconfig.build.json` leaves the same out of the package. */
export const isTest = (path: string): boolean =>
  /\.test\.ts$|\/testing(-[\w-]+)?\.ts$|\/samples\//.test(path);
