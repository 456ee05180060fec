import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import type { Catalogue } from '../core/catalogue.ts';
import { packageRoot } from '../core/package-root.ts';
import { suiteDigest } from './suite-digest.ts';

/** What judged: `environment.json`. */
export interface Environment {
  readonly format: 'gateway-touchstone/environment';
  /** Counts up when a member is removed or changes its meaning. */
  readonly version: 1;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    /** SHA-256 over its own files. */
    readonly sha256: string;
  };
  readonly catalogue: { readonly sha256: string; readonly checks: number };
  readonly node: string;
  readonly os: { readonly platform: string; readonly release: string; readonly arch: string };
  /** Versions of the packages as they are installed, by their names. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const format = 'gateway-touchstone/environment';

/** What judges here and now. */
export function currentEnvironment({ digest, checks }: Catalogue): Environment {
  const { name, version, dependencies } = manifestAt(join(packageRoot, 'package.json'));
  return {
    format,
    version: 1,
    suite: { name, version, sha256: suiteDigest() },
    catalogue: { sha256: digest, checks: checks.length },
    node: process.versions.node,
    os: { platform: platform(), release: release(), arch: arch() },
    dependencies: Object.fromEntries(
      Object.keys(dependencies ?? {})
        .sort()
        .map((dependency) => [dependency, installedVersion(dependency)]),
    ),
  };
}

/** @throws {Error} when it is none, or of a version that is not known here */
export function readEnvironment(text: string): Environment {
  const value: unknown = JSON.parse(text);
  if (!isEnvironment(value)) throw new Error('it does not say what judged, as version 1 says it');
  return value;
}

function isEnvironment(value: unknown): value is Environment {
  if (typeof value !== 'object' || value === null) return false;
  const { format: named, version, suite, catalogue }: Partial<Environment> = value;
  return (
    named === format &&
    version === 1 &&
    typeof suite?.name === 'string' &&
    typeof suite.version === 'string' &&
    typeof suite.sha256 === 'string' &&
    typeof catalogue?.sha256 === 'string'
  );
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Looked up where Node looks, because a package need not export its manifest. */
function installedVersion(dependency: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(dependency) ?? [];
  const manifest = folders
    .map((folder) => join(folder, dependency, 'package.json'))
    .find((path) => existsSync(path));
  return manifest === undefined ? 'not installed' : manifestAt(manifest).version;
}

function manifestAt(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}
