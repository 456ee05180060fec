import { basename } from 'node:path';
import type { Target } from '../../targets/index.ts';
import { formats, optionOf, type ReportFiles, UsageError } from '../../terminal/index.ts';

/** Placeholder in a file name for the name of the target. */
export const placeholder = '{target}';

/** Files that a run reads and writes. Each name may contain `{target}` until the target is known. */
export interface RunFiles extends ReportFiles {
  readonly record?: string | undefined;
  readonly knownFailures?: string | undefined;
  readonly rerunFailed?: string | undefined;
}

/** Name of a target in a run, and in the names of its files. */
export interface TargetName {
  readonly name: string;
  /** Letters, digits, `.`, `_` and `-` only. */
  readonly inFiles: string;
}

/** Returns distinct names for targets: their own, with the target file if two are the same. */
export function namesOf(
  targets: readonly { readonly file: string; readonly target: Target }[],
): TargetName[] {
  const names = targets.map(({ file, target: { name } }) =>
    targets.filter(({ target }) => target.name === name).length > 1 ? `${name} (${file})` : name,
  );
  const taken = new Set<string>();
  return names.map((name) => {
    let inFiles = fileName(name);
    // Some file systems are case-insensitive.
    for (let next = 2; taken.has(inFiles.toLowerCase()); next++) {
      inFiles = `${fileName(name)}-${next}`;
    }
    taken.add(inFiles.toLowerCase());
    return { name, inFiles };
  });
}

/** Returns a name without characters that file names cannot have. */
export function fileName(name: string): string {
  const plain = name
    .replace(/\.ya?ml\b/g, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '');
  return plain.slice(0, 80) || 'target';
}

/** Reports with a separate file for each target. One Markdown document may hold all targets. */
const oneForEach = [
  ...formats.map(({ name }) => name).filter((name) => name !== 'markdown'),
  'record',
] as const;
const filesOfTarget = [...oneForEach, 'markdown', 'knownFailures', 'rerunFailed'] as const;

/** True if a file name contains the placeholder. */
export function usesPlaceholder(files: RunFiles): boolean {
  return filesOfTarget.some((option) => files[option]?.includes(placeholder) === true);
}

/** Returns the files of one target, with its name in place of the placeholder. */
export function filesOf(files: RunFiles, inFiles: string): RunFiles {
  const named = filesOfTarget.map(
    (option) => [option, files[option]?.replaceAll(placeholder, inFiles)] as const,
  );
  return Object.fromEntries(named);
}

/**
 * Checks that several targets do not overwrite each other's files.
 *
 * @throws {UsageError} naming the options, with a correction
 */
export function assertFileForEach(files: RunFiles): void {
  const shared = oneForEach.flatMap((option) => {
    const file = files[option];
    return file === undefined || file.includes(placeholder) ? [] : [{ option, file }];
  });
  const { rerunFailed } = files;
  if (shared.length === 0 && (rerunFailed?.includes(placeholder) ?? true)) return;
  throw new UsageError(
    [
      ...shared.map(
        ({ option, file }) =>
          `${optionOf(option)} ${file}: each target would write this file over the one before. ` +
          `Put ${placeholder} into its name: ${optionOf(option)} ${withPlaceholder(file)}`,
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

/** Returns `out/report-{target}.json` for `out/report.json`. */
function withPlaceholder(file: string): string {
  const name = basename(file);
  const stem = name.replace(/(?<=.)\.[^.]*$/, '');
  const folder = file.slice(0, file.length - name.length);
  return `${folder}${stem}-${placeholder}${name.slice(stem.length)}`;
}
