import { join } from 'node:path';
import { clientCommandLine, commandLine, type RunResult } from '../../kernel/core/index.ts';
import { inOneLine } from '../../kernel/report/index.ts';
import { bundleFiles } from './files.ts';

/** Words and the command line to reproduce the result of another party, built from verified data. */
export function reproduction(
  folder: string,
  { target, seed, strict }: RunResult,
  program = 'touchstone',
): readonly [words: string, line: string] {
  const { client } = target;
  const options = ['--seed', String(seed), ...(strict ? ['--strict'] : [])];
  if (client !== undefined) {
    const line = inOneLine(clientCommandLine(client, options)).replace('touchstone', program);
    return ['To repeat it, read this command first, which the bundle names:', line];
  }
  const file = join(folder, bundleFiles.target);
  const line = `${program} ${inOneLine(commandLine(['run', '--target', file, ...options]))}`;
  return ['To repeat it, with keys of your own in the variables that its file names:', line];
}
