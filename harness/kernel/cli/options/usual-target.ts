import { existsSync } from 'node:fs';
import { assertApart, type Terminal, UsageError } from '../../terminal/index.ts';

/** Default target file, which `init` writes. */
export const usualFile = 'touchstone.yaml';

/** Options of a command line that name its target, or several. */
interface Named {
  readonly target?: string | readonly string[] | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: readonly string[] | undefined;
  readonly protocol?: readonly string[] | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly restriction?: readonly string[] | undefined;
  readonly reference?: string | undefined;
}

/** Behaviour of a command without a target: judge the reference gateway, or throw. */
type Without = 'reference' | 'nothing';

/**
 * Returns the default target file of a command line that names no target: `touchstone.yaml`, if the folder has it.
 * Prints the choice on standard error. A forgotten target must not be green: in CI the reference gateway has to be
 * requested explicitly.
 *
 * @param without behaviour if there is no such file
 * @returns undefined if the command line names a target, or if the reference gateway is used
 * @throws {UsageError} if no target is named, and there is no default
 */
export function usualTarget(
  named: Named,
  without: Without,
  { stderr, environment, folder = '.', program = 'touchstone' }: Terminal,
): string | undefined {
  const { target, baseUrl, model, protocol, header, restriction, reference } = named;
  const given = target ?? baseUrl ?? model ?? protocol ?? header ?? restriction ?? reference;
  if (given !== undefined) return undefined;
  const file = folder === '.' ? usualFile : `${folder}/${usualFile}`;
  if (existsSync(file)) {
    assertApart('read', file, usualFile);
    stderr.write(`Target: ${usualFile}, which is in this folder.\n`);
    return file;
  }
  if (without === 'nothing' || isCi(environment)) {
    const own =
      without === 'reference'
        ? ' `--reference embedded` is the reference gateway that comes with Touchstone.'
        : '';
    throw new UsageError(
      `No target is named, and there is no ${usualFile} in this folder. Name one: --target FILE. ` +
        `\`${program} init --base-url URL\` writes a first target file.${own}`,
    );
  }
  stderr.write(
    'No target is named: this judges the reference gateway that comes with Touchstone. For your own: ' +
      `${program} init --base-url URL, then ${program} run.\n`,
  );
  return undefined;
}

/** True in CI, where a wrong target would go unnoticed. */
function isCi({ CI = '' }: Terminal['environment']): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase());
}
