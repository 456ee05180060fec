import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { codeFile } from '../core/index.ts';
import type { CompletedCommand } from './completion/words.ts';
import type { CommandGroup } from './feature.ts';

/** Description of a command for help and completion, which need not load the command. */
export interface ListedCommand extends CompletedCommand {
  readonly group: CommandGroup;
  /** As help shows it: `run [options] [ids...]`. */
  readonly term: string;
}

const file = codeFile('commands', '.json');

/** All commands as the build has found them, or null where the sources run. */
export function builtCommands(): readonly ListedCommand[] | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Writes what `builtCommands` reads: for the build. */
export function writeCommands(listed: readonly ListedCommand[]): void {
  writeFileSync(file, JSON.stringify(listed));
}
