import type { Command } from 'commander';
import { commandLine } from '../../kernel/cli/index.ts';
import { formats, optionOf, silentTerminal } from '../../kernel/terminal/index.ts';
import { table } from './table.ts';

/** Touchstone's own command line, of which nothing is called. */
export const program = await commandLine(silentTerminal, () => {});

export function commandsTable(): string {
  return table(
    ['command', 'what it does'],
    program.commands.map((command) => [
      `\`${[command.name(), ...command.registeredArguments.map(placeholder)].join(' ')}\``,
      command.summary(),
    ]),
  );
}

/** `[ids…]`, `<bundle>` */
function placeholder(argument: Command['registeredArguments'][number]): string {
  const name = argument.variadic ? `${argument.name()}…` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

export function reportsTable(): string {
  return table(
    ['option', 'what it writes'],
    formats.map(({ name, description }) => [`\`${optionOf(name)} FILE\``, description]),
  );
}
