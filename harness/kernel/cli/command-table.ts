import { existsSync, readFileSync } from 'node:fs';
import { codeFile } from '../core/index.ts';
import type { CommandGroup } from './feature.ts';

/** Description of a command for help, which does not load the command. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  /** Term in the help: `run [options] [ids...]`. */
  readonly term: string;
}

export const builtFile = codeFile('commands', '.json');

/** Returns all commands as the build has stored them, or null when the sources run. */
export function builtCommands(): readonly ListedCommand[] | null {
  return existsSync(builtFile) ? JSON.parse(readFileSync(builtFile, 'utf8')) : null;
}
