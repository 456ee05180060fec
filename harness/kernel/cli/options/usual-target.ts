import { existsSync } from 'node:fs';
import { type Terminal, UsageError } from '../../terminal/index.ts';

/** The target file that is taken where a command line names none: the one that `init` writes. */
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

/** Behaviour of a command that finds no target: it takes the reference gateway and says so, or it throws. */
type Without = 'reference' | 'nothing';

/**
 * The target file of a command line that names no target: `touchstone.yaml`, if that is in the folder. Says
 * on standard error what is taken. A forgotten target must not be green: in CI the reference gateway is taken
 * for those only who ask for it.
 *
 * @param without what to do where there is no such file
 * @returns undefined where the command line names a target, or the reference gateway is meant
 * @throws {UsageError} where no target is named, and none can be taken
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

/** True in CI, where nobody would notice a wrong target. */
function isCi({ CI = '' }: Terminal['environment']): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase());
}
