import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';

const folder = 'suites';

/** The files of the suites that import a file, itself included, however long the way. */
export function importersOf(file: string): ReadonlySet<string> {
  const importers = new Set([file]);
  // A set may grow while it is walked.
  for (const one of importers)
    for (const [from, to] of imports()) if (to === one) importers.add(from);
  return importers;
}

let known: readonly (readonly [from: string, to: string])[] | undefined;

function imports(): readonly (readonly [from: string, to: string])[] {
  known ??= readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const from = `${folder}/${path}`;
      const source = readFileSync(join(packageRoot, from), 'utf8');
      return [...source.matchAll(/\bfrom\s+['"](\.[^'"\n]+)['"]/g)].map(
        ([, to = '']) => [from, posix.join(posix.dirname(from), to)] as const,
      );
    });
  return known;
}
