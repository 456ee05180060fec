import type { Argument, Command, Option } from 'commander';
import { loadCatalogue, subjectFilters } from '../../core/index.ts';

/** Completions of one command for a shell, derived from the command itself. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly values: Values;
}

interface CompletedOption {
  /** `--target` */
  readonly long: string;
  /** `-t`; undefined if there is none. */
  readonly short: string | undefined;
  readonly description: string;
  /** Values of the option, or null if it takes none. */
  readonly values: Values | null;
}

/** Values of one argument: one of these words, a file, or text that a shell cannot complete. */
export type Values = readonly string[] | 'files' | 'anything';

/** The names that the package gives the program. */
export const programNames = ['touchstone', 'gateway-touchstone'] as const;

/** Returns the completions of all commands of a program. */
export function completedCommands(program: Command): CompletedCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    options: [...command.options.map(completedOption), help],
    values: valuesOfArguments(command),
  }));
}

const help: CompletedOption = {
  long: '--help',
  short: '-h',
  description: 'display help for command',
  values: null,
};

function completedOption(option: Option): CompletedOption {
  const { long, short, flags, description, argChoices } = option;
  const values = placeholderIn(flags) === undefined ? null : (argChoices ?? valuesOf(flags));
  return { long: long ?? flags, short, description, values };
}

function valuesOfArguments(command: Command): Values {
  const all = command.registeredArguments.map((one) => valuesOfArgument(one, command.name()));
  const words = all.flatMap((values) => (typeof values === 'string' ? [] : values));
  // A shell falls back to files if no word matches.
  return words.length > 0 ? words : (all[0] ?? 'files');
}

function valuesOfArgument(argument: Argument, command: string): Values {
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (!['ids', 'text'].includes(argument.name())) return valuesOf(argument.name());
  const { requirements } = loadCatalogue();
  const side = command === 'client' ? 'client' : 'gateway';
  const judged = requirements.filter(
    ({ judges, unchecked }) =>
      ['list', 'explain'].includes(command) || (judges === side && unchecked === null),
  );
  return [...judged.map(({ id }) => id), ...(command === 'client' ? [] : subjectFilters)];
}

const placeholderIn = (flags: string): string | undefined =>
  /[<[](.+?)(?:\.\.\.)?[\]>]/.exec(flags)?.[1];

/** True if the flags of an option, or the name of an argument, stand for files or folders. */
export function isOfFiles(named: string): boolean {
  return /^(?:files?|folder|dir|reports?|recording|bundles?|old|new)$/.test(
    placeholderIn(named) ?? named,
  );
}

function valuesOf(named: string): Values {
  return isOfFiles(named) ? 'files' : 'anything';
}

/** Returns names for lists that several commands share, by their words joined with spaces. */
export function sharedLists(commands: readonly CompletedCommand[]): ReadonlyMap<string, string> {
  const long = commands.flatMap(({ values }) =>
    typeof values === 'string' || values.length < 20 ? [] : [values.join(' ')],
  );
  return new Map([...new Set(long)].map((words, index) => [words, `_touchstone_ids_${index + 1}`]));
}
