import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal/index.ts';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { type CompletedCommand, completedCommands } from './completion/words.ts';
import { zshCompletion } from './completion/zsh.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  string,
  (commands: readonly CompletedCommand[]) => string
>;

/**
 * Makes `touchstone completion`, which prints a script for a shell.
 *
 * @param listed all commands. Default: those of the program that the command is part of
 */
export function completionCommand(
  terminal: Terminal,
  listed?: readonly CompletedCommand[],
): Command {
  return new Command('completion')
    .summary('print completion for bash, zsh or fish')
    .description(
      'Prints a script with which a shell completes commands, options, ids and files. It is made from ' +
        'the commands of this version: load it where the shell starts.',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
    .addHelpText('after', examples)
    .action((shell: keyof typeof shells, _options, command: Command) => {
      const commands = listed ?? completedCommands(command.parent ?? command);
      terminal.stdout.write(shells[shell](commands));
    });
}

const examples = `
Examples:
  echo 'eval "$(touchstone completion bash)"' >> ~/.bashrc
  echo 'eval "$(touchstone completion zsh)"' >> ~/.zshrc
      behind the line with compinit
  touchstone completion fish > ~/.config/fish/completions/touchstone.fish`;
