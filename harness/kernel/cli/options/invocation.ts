import type { Command } from 'commander';
import { commandLine, type Invocation, inShell } from '../../core/index.ts';
import { showable } from '../../targets/index.ts';
import type { Terminal } from '../../terminal/index.ts';
import { DeclaredOption } from './declared.ts';

/** Returns the command line that repeats a run, for one target file. */
export type Again = (target: string | undefined, report: string | undefined) => Invocation;

/** @param fixed options that the command implies */
export function againOf(command: Command, { program }: Terminal, fixed = ''): Again {
  const options = command.options.flatMap((option): string[] => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isRepeated = option instanceof DeclaredOption && option.declared.isUnrepeated !== true;
    if (!isRepeated || command.getOptionValueSource(name) !== 'cli') return [];
    const flag = option.long ?? option.flags;
    if (option.negate) return value === false ? [flag] : [];
    if (value === false) return [];
    if (value === true) return [flag];
    return wordsOf(value).flatMap((word) => [flag, word]);
  });
  return (target, report) => ({
    program: program ?? 'touchstone',
    command: [
      program ?? 'touchstone',
      commandLine([
        'run',
        ...fixed.split(' ').filter(Boolean),
        ...(target === undefined ? [] : ['--target', target]),
        ...options,
      ]),
    ].join(' '),
    ...(report === undefined ? {} : { report: inShell(report) }),
    ...(target === undefined ? {} : { target }),
  });
}

/** Returns the values of an option, one per use. Headers come as a map, and secret ones are masked. */
function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'object' || value === null) return [String(value)];
  const lines = Object.entries(value).map(([name, one]) => [name, String(one)] as const);
  return Object.entries(showable(Object.fromEntries(lines), {})).map(
    ([name, shown]) => `${name}: ${shown}`,
  );
}
