import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';
import { tried } from './file-trial.ts';
import type { Trial } from './trial.ts';

const program = join(packageRoot, 'harness/lab/hostile/hostile-client.mjs');

export function hostileClients(): readonly string[] {
  return JSON.parse(execFileSync(process.execPath, [program, '--names'], { encoding: 'utf8' }));
}

/** Judges a hostile client, as a user would. It may earn nothing. */
export function tryClient(name: string, seed: number): Promise<Omit<Trial, 'spoiled'>> {
  const asked = ['client/requests', '--speaks', 'chat-completions', '--seed', String(seed)];
  const how = ['--timeout', '2000', '--quiet', '--', process.execPath, program, name];
  return tried(['client', ...asked, ...how], { mostSeconds: 120, exitCodes: [1, 2, 4] });
}
