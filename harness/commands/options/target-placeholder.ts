import { basename } from 'node:path';
import type { Target } from '../../target/target.ts';
import { UsageError } from '../../terminal/failure.ts';
import type { RunCommandOptions } from './run-options.ts';

/** Stands in the name of a file for the name of the target. */
export const placeholder = '{target}';

/** What a target is called in a run, and in the names of its files. */
export interface TargetName {
  readonly name: string;
  /** Letters, digits, `.`, `_` and `-` only. */
  readonly inFiles: string;
}

/**
 * Names for the targets of a run that tell them apart: their own, and with the target file behind it
 * where two are called the same.
 */
export function namesOf(
  targets: readonly { readonly file: string; readonly target: Target }[],
): TargetName[] {
  const names = targets.map(({ file, target: { name } }) =>
    targets.filter(({ target }) => target.name === name).length > 1 ? `${name} (${file})` : name,
  );
  const taken = new Set<string>();
  return names.map((name) => {
    let inFiles = fileName(name);
    // Some file systems do not tell capitals from small letters.
    for (let next = 2; taken.has(inFiles.toLowerCase()); next++) {
      inFiles = `${fileName(name)}-${next}`;
    }
    taken.add(inFiles.toLowerCase());
    return { name, inFiles };
  });
}

/** A name as it can stand in the name of a file. */
export function fileName(name: string): string {
  const plain = name
    .replace(/\.ya?ml\b/g, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '');
  return plain.slice(0, 80) || 'target';
}

const oneForEach = ['html', 'json', 'junit', 'ctrf', 'badge', 'record'] as const;
const filesOfTarget = [...oneForEach, 'markdown', 'knownFailures', 'rerunFailed'] as const;

/** Whether a file is named after the target. */
export function usesPlaceholder(options: RunCommandOptions): boolean {
  return filesOfTarget.some((option) => options[option]?.includes(placeholder) === true);
}

/** The options with the target's name in the names of files. */
export function withTargetName(options: RunCommandOptions, inFiles: string): RunCommandOptions {
  const files = filesOfTarget.flatMap((option) => {
    const file = options[option];
    return file === undefined ? [] : [[option, file.replaceAll(placeholder, inFiles)] as const];
  });
  return { ...options, ...Object.fromEntries(files) };
}

/**
 * Sees to it that several targets do not write one file over one another.
 *
 * @throws {UsageError} naming the options, and what to write instead
 */
export function assertFileForEach(options: RunCommandOptions): void {
  const shared = oneForEach.flatMap((option) => {
    const file = options[option];
    return file === undefined || file.includes(placeholder) ? [] : [{ option, file }];
  });
  const { rerunFailed } = options;
  if (shared.length === 0 && (rerunFailed?.includes(placeholder) ?? true)) return;
  throw new UsageError(
    [
      ...shared.map(
        ({ option, file }) =>
          `--${option} ${file}: each target would write this file over the one before. ` +
          `Put ${placeholder} into its name: --${option} ${withPlaceholder(file)}`,
      ),
      ...(rerunFailed === undefined || rerunFailed.includes(placeholder)
        ? []
        : [
            `--rerun-failed ${rerunFailed}: a report is of one target. Name one for each: ` +
              `--rerun-failed ${withPlaceholder(rerunFailed)}`,
          ]),
    ].join('\n'),
  );
}

/** `out/report.json` → `out/report-{target}.json` */
function withPlaceholder(file: string): string {
  const name = basename(file);
  const stem = name.replace(/(?<=.)\.[^.]*$/, '');
  const folder = file.slice(0, file.length - name.length);
  return `${folder}${stem}-${placeholder}${name.slice(stem.length)}`;
}
