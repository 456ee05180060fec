import { Command } from 'commander';
import type { Terminal } from '../terminal/index.ts';
import { againOf } from './options/invocation.ts';
import { add, optionGroups, type RunCommandOptions } from './options/run-table.ts';
import { run } from './run.ts';

/** Makes `touchstone demo`, which judges the included reference gateway. */
export function demoCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('demo')
    .summary('judge the reference gateway: see what a run is')
    .description(
      'Judges the reference gateway that comes with Touchstone, in this process: to see what a run and its ' +
        'reports look like. It costs nothing and needs no key. `touchstone run --reference embedded` does the same, and takes all options.',
    )
    .argument(
      '[ids...]',
      'which checks: id prefixes (storage/responses, input/), or all of a protocol (@messages)',
    );
  return add(command, ...optionGroups.pace, 'thorough', ...optionGroups.reports)
    .addHelpText('after', examples)
    .action(async (ids: string[], options: RunCommandOptions) => {
      const again = againOf(command, terminal, '--reference embedded');
      const code = await run({ ...options, ids, again, reference: 'embedded' }, terminal);
      if (options.quiet !== true) {
        const program = terminal.program ?? 'touchstone';
        terminal.stdout.write(
          `\nThis was the reference gateway. Yours: ${program} init --base-url URL\n`,
        );
      }
      exit(code);
    });
}

const examples = `
Examples:
  touchstone demo
  touchstone demo --html report.html
      with a report to read, with the request and response of each exchange
  touchstone demo @messages
      only the checks about one protocol`;
