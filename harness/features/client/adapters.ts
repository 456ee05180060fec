import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from '../../kernel/core/index.ts';

/** The clients that Touchstone can start itself: `--adapter NAME`. */
export function adapterNames(): readonly string[] {
  return readdirSync(fixture('clients'))
    .flatMap((file) => /^(.*)\.mjs$/.exec(file)?.[1] ?? [])
    .filter((name) => name !== 'driver')
    .sort();
}

/** The program that runs a client. */
export function adapterFile(name: string): string {
  return join(fixture('clients'), `${name}.mjs`);
}
