import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isObject, parsed } from '../../kernel/core/index.ts';
import { adapterFile, adapterNames } from './adapters.ts';

/**
 * Installed version of the client that an adapter uses, in a folder. For several packages, each version follows its
 * name. Undefined if none of them is installed.
 */
export function adapterVersion(name: string, folder = process.cwd()): string | undefined {
  const installed = packagesOf(name).flatMap((one) => {
    const version = installedVersion(one, folder);
    return version === undefined ? [] : [{ name: one, version }];
  });
  const [first, second] = installed;
  if (first === undefined || second === undefined) return first?.version;
  return installed.map((one) => `${one.name} ${one.version}`).join(', ');
}

/** Returns the packages that an adapter uses, directly or through another adapter, from its source. */
function packagesOf(name: string): readonly string[] {
  const text = readFileSync(adapterFile(name), 'utf8');
  const used = [...text.matchAll(/\buse\('([^']+)'\)/g)].flatMap(([, one]) => one ?? []);
  const others = [...text.matchAll(/ from '\.\/([a-z0-9-]+)\.mjs'/g)].flatMap(([, one]) =>
    one !== undefined && adapterNames().includes(one) ? packagesOf(one) : [],
  );
  return [...new Set([...used, ...others])].sort();
}

/** Searches like Node's module resolution, because a package need not export its manifest. */
function installedVersion(name: string, folder: string): string | undefined {
  const folders = createRequire(join(folder, 'none.cjs')).resolve.paths(name) ?? [];
  const manifest = folders
    .map((one) => join(one, name, 'package.json'))
    .find((path) => existsSync(path));
  const value = manifest === undefined ? null : parsed(readFileSync(manifest, 'utf8'));
  return isObject(value) && typeof value.version === 'string' ? value.version : undefined;
}
