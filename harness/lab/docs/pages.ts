import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';

/** The pages of the project, by their path from its root. */
export const pages: readonly string[] = [
  ...readdirSync(packageRoot),
  ...['harness', 'suites', 'fixtures'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => path.endsWith('.md'));

export function readPage(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
