import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { packageRoot } from './package-root.ts';

/** Thrown if a feature needs a package that is not installed with Touchstone. The exit code is 3. */
class MissingPackage extends CommandError {
  override readonly name = 'MissingPackage';
}

/**
 * To be called before an optional peer of `package.json` is loaded. Its range there accepts every version: users of
 * other features may have another version, and npm would refuse to install both.
 *
 * @param what the feature that needs it, as the subject of a sentence
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

function testedMajor(name: string): number {
  const manifest: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  );
  return Number.parseInt(manifest.devDependencies[name] ?? '', 10);
}
