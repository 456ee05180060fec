import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunResult } from '../../kernel/core/index.ts';
import { touchstone } from '../touchstone.ts';
import type { ClientInstall } from './clients.ts';

/** Settings with which a client is judged. */
export type Settings = 'defaults' | 'no retries';

/**
 * Installs a client into a folder of its own, and judges it there, as a user has it. Reports are left in
 * the folder. Any verdict is a result.
 */
export async function judge(
  client: ClientInstall,
  settings: Settings,
  folder: string,
): Promise<RunResult> {
  await installClient(client, folder);
  const at = (ending: string): string => join(folder, `${settings.replace(' ', '-')}.${ending}`);
  const own = settings === 'defaults' ? [] : ['--with', withoutRetries(client, folder)];
  const reports = ['--json', at('json'), '--html', at('html')];
  const line = ['client', '--adapter', client.driver, ...own, '--seed', '1', ...reports];
  await touchstone(line, at('txt'), { node: await nodeOf(client), cwd: folder });
  return JSON.parse(readFileSync(at('json'), 'utf8'));
}

/**
 * None of the packages' scripts is run. What is installed is used again. This project's `engine-strict` does
 * not hold: a client may need a later Node, which it then gets.
 */
export async function installClient({ packages }: ClientInstall, folder: string): Promise<void> {
  const isThere = ([name, version]: readonly [string, string]): boolean => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  };
  const wanted = Object.entries(packages);
  if (wanted.every(isThere)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const how = [
    '--ignore-scripts',
    '--no-engine-strict',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const line = ['install', ...how, ...wanted.map(([name, version]) => `${name}@${version}`)];
  await promisify(execFile)('npm', line, { cwd: folder });
}

function withoutRetries({ withoutRetries }: ClientInstall, folder: string): string {
  const file = join(folder, 'no-retries.mjs');
  writeFileSync(file, withoutRetries ?? '');
  return file;
}

/** Another line of Node comes from the registry, by npx. */
export async function nodeOf({ node }: ClientInstall): Promise<string> {
  const [own = ''] = process.versions.node.split('.');
  if (node === undefined || Number(own) >= node) return process.execPath;
  const line = ['-y', '-p', `node@${node}`, 'node', '-p', 'process.execPath'];
  const { stdout } = await promisify(execFile)('npx', line);
  return stdout.trim();
}
