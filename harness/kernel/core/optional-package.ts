import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { packageRoot } from './package-root.ts';

/** Something needs a package that is not installed with Touchstone. The command exits with 3. */
class MissingPackage extends CommandError {
  override readonly name = 'MissingPackage';
}

/**
 * To be called before an optional peer of `package.json` is loaded. Its range there takes every version: whoever
 * wants something else of Touchstone may have another, and npm would not install both.
 *
 * @param what what needs it: the subject of a sentence
 * @throws {MissingPackage} with the command that installs it
 */
export function assertInstalled(what: string, name: 'testcontainers' | 'vitest'): void {
  const tested = testedMajor(name);
  const installed = installedVersion(name);
  if (installed !== null && Number.parseInt(installed, 10) >= tested) return;
  const needs =
    installed === null
      ? `${name}, which is not installed`
      : `${name} ${tested} or newer, and ${installed} is installed`;
  throw new MissingPackage(`${what} needs ${needs}: npm install ${name}@${tested}`);
}

function installedVersion(name: string): string | null {
  try {
    return versionIn(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

function versionIn(file: string): string {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}

/** The major version that Touchstone is tested with. */
function testedMajor(name: string): number {
  const manifest: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  );
  return Number.parseInt(manifest.devDependencies[name] ?? '', 10);
}
