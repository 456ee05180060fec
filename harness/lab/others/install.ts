import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OtherGateway } from './gateway.ts';

/** A package of the registry, in the version that is looked at. */
export type Package = Pick<OtherGateway, 'name' | 'version' | 'overrides' | 'beside'>;

/**
 * Installs a package into a folder, unless it is there. None of the packages' scripts is run. Throws
 * with what npm said when it cannot be had.
 *
 * @returns the folder of its package
 */
export async function install(
  { name, version, overrides = {}, beside = {} }: Package,
  folder: string,
): Promise<string> {
  const installed = join(folder, 'node_modules', name);
  const manifest = join(installed, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) {
    return installed;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const quietly =
    '--ignore-scripts --legacy-peer-deps --no-engine-strict --no-audit --no-fund'.split(' ');
  const packages = Object.entries({ [name]: version, ...beside }).map(
    ([one, at]) => `${one}@${at}`,
  );
  const line = ['install', '--prefix', folder, ...quietly, '--loglevel=error', ...packages];
  try {
    await promisify(execFile)('npm', line, { cwd: folder });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? `${error.stderr}`.trim() : '';
    throw new Error(`${name}@${version} could not be installed:\n${said}`, { cause: error });
  }
  return installed;
}
