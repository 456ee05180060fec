import { realpathSync } from 'node:fs';
import { type Target, TargetError } from '../../targets/index.ts';
import { type Terminal, UsageError } from '../../terminal/index.ts';
import { chooseTarget, type TargetOptions } from './choose-target.ts';
import { namesOf, type TargetName } from './target-placeholder.ts';

/** Target of a run, with a name that distinguishes it from the others. */
export interface NamedTarget extends TargetName {
  readonly target: Target;
}

/**
 * Reads several target files.
 *
 * @throws {UsageError} with all errors of all files
 */
export async function loadTargets(
  files: readonly string[],
  options: Omit<TargetOptions, 'target'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<NamedTarget[]> {
  const problems: string[] = [];
  const loaded: { readonly file: string; readonly target: Target }[] = [];
  for (const file of files) {
    try {
      const { target } = await chooseTarget({ ...options, target: file }, terminal, signal);
      loaded.push({ file, target });
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n\n'));
  const places = files.map((file) => realpathSync(file));
  const [again] = files.filter((_, index) => places.indexOf(places[index] ?? '') < index);
  if (again !== undefined) {
    throw new UsageError(
      `--target ${again} is given twice: it would be paid for twice, and told nothing more.`,
    );
  }
  const names = namesOf(loaded);
  return loaded.map(({ file, target }, index) => {
    const { name, inFiles } = names[index] ?? { name: file, inFiles: file };
    return { name, inFiles, target: { ...target, name } };
  });
}
