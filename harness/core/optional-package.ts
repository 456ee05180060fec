import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Something needs a package that is not installed with Touchstone. The command exits with 3. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
}

/**
 * To be called before an optional peer of `package.json` is loaded.
 *
 * @param what what needs it: the subject of a sentence
 * @throws {MissingPackage} with the command that installs it
 */
export function assertInstalled(what: string, name: 'testcontainers' | 'vitest'): void {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch {
    throw new MissingPackage(
      `${what} needs ${name}, which is not installed: npm install ${name}@${testedVersion(name)}`,
    );
  }
}

/** The major version of the package that Touchstone is tested with. */
function testedVersion(name: string): string {
  const manifest: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  );
  return /\d+/.exec(manifest.peerDependencies[name] ?? '')?.[0] ?? 'latest';
}
