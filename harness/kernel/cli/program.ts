import { Command } from 'commander';
import { suiteVersion } from '../core/index.ts';
import { forgetPaths, keptFrom } from '../redaction/index.ts';
import { failureOf, inOurTexts, type Terminal } from '../terminal/index.ts';
import { builtCommands, builtFile, type ListedCommand } from './command-table.ts';
import { type Commands, commandGroups, type Exit, featureCommands } from './feature.ts';
import { takeOnce } from './options/option-values.ts';
import { usePathsOf } from './options/paths-of.ts';

/**
 * Executes a command line.
 *
 * @param line the arguments, without `node` and the script
 * @returns the exit code
 */
export async function touchstone(line: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const setExit = (code: number): void => {
    exitCode = code;
  };
  const program = await commandLine(terminal, setExit, line);
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.message !== '') terminal.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  } finally {
    forgetPaths();
    const where = keptFrom();
    if (where.length > 0) terminal.stderr.write(keyMasked(where));
  }
  return exitCode;
}

/** Returns a warning about keys that only the last safeguard masked, which should never happen. */
function keyMasked(where: readonly string[]): string {
  return (
    `WARNING: a key would have appeared in ${where.join(', ')}. It was masked there. The gateway shows it in a form ` +
    'that Touchstone did not find in the answers themselves: please report that.\n'
  );
}

/** The group of commands without another one, such as `help`. */
const others: keyof Commands = 'Other:';

/** The commands of the kernel. Features add theirs to the same groups. */
const kernelCommands: Commands = {
  'Judge a gateway:': {
    demo: async (terminal, exit) => (await import('./demo.ts')).demoCommand(terminal, exit),
    plan: async (terminal) => (await import('./plan.ts')).planCommand(terminal),
    run: async (terminal, exit) => (await import('./run.ts')).runCommand(terminal, exit),
  },
  'Requirements and reports:': {
    list: async (terminal) => (await import('./list.ts')).listCommand(terminal),
    explain: async (terminal) => (await import('./explain.ts')).explainCommand(terminal),
    recheck: async (terminal, exit) =>
      (await import('./recheck.ts')).recheckCommand(terminal, exit),
  },
};

/**
 * Returns the program with all commands and their options, or with only the command that the line names. Help needs
 * all of them; it uses the list of the build, if there is one, and loads none.
 *
 * @param exit receives the exit code of the command that ran
 * @param line that will be parsed
 */
export async function commandLine(
  terminal: Terminal,
  exit: Exit,
  line: readonly string[] = [],
): Promise<Command> {
  const program = new Command('touchstone')
    .description('Conformance tests for LLM API gateways.')
    .version(suiteVersion)
    .addHelpText('after', examples)
    .hook('preAction', (_, command) => usePathsOf(command));
  program.commandsGroup(others).helpCommand('help [command]');
  const sources = [kernelCommands, ...featureCommands()];
  const all = commandGroups.flatMap((group) =>
    sources.flatMap((commands) =>
      Object.entries(commands[group] ?? {}).map(([name, load]) => ({ group, name, load })),
    ),
  );
  const wanted = all.filter(({ name }) => name === line[line[0] === 'help' ? 1 : 0]);
  const isNamed = line.some((word) => all.some(({ name }) => name === word));
  const listed = isNamed ? null : builtCommands();
  if (listed === null) {
    for (const { group, load } of wanted.length > 0 ? wanted : all) {
      program.addCommand((await load(terminal, exit, line)).helpGroup(group));
    }
  } else {
    addListed(program, listed);
  }
  for (const command of [program, ...program.commands]) {
    for (const option of command.options) {
      if (option.required && !option.variadic) takeOnce(option);
    }
    command
      .exitOverride()
      .showHelpAfterError(
        `Help: touchstone ${command === program ? '' : `${command.name()} `}--help`,
      )
      .configureOutput({
        writeOut: (text) => terminal.stdout.write(inOurTexts(text, terminal.program)),
        writeErr: (text) => terminal.stderr.write(text),
      });
  }
  return program;
}

/** Adds commands for help, which are never run. */
function addListed(program: Command, listed: readonly ListedCommand[]): void {
  const terms = new Map(listed.map(({ name, term }) => [name, term]));
  for (const { name, summary, group } of listed) {
    program.addCommand(new Command(name).summary(summary).helpGroup(group));
  }
  const { subcommandTerm } = program.createHelp();
  program.configureHelp({
    subcommandTerm: (command) => terms.get(command.name()) ?? subcommandTerm(command),
  });
}

/** Returns all commands and the path of their file, for the build. */
export async function commandTable(
  terminal: Terminal,
): Promise<{ readonly file: string; readonly rows: readonly ListedCommand[] }> {
  const program = await commandLine(terminal, () => {});
  const help = program.createHelp();
  const rows = program.commands.flatMap((command) => {
    const group = commandGroups.find((name) => name === command.helpGroup());
    const [name, summary] = [command.name(), command.summary()];
    return group === undefined
      ? []
      : [{ name, summary, group, term: help.subcommandTerm(command) }];
  });
  return { file: builtFile, rows };
}

const examples = `
Start here:
  touchstone demo                         try it: judge the reference gateway that comes with it
  touchstone init --base-url URL          look at your gateway, and write touchstone.yaml
  touchstone run                          judge the gateway that touchstone.yaml describes
  touchstone run --target staging.yaml    judge a gateway that a target file describes
  touchstone list storage/                the requirements, by id prefix or words

Exit codes:
  0 conformant · 1 nonconformant · 2 indeterminate or partial · 3 wrong usage or target file
  4 the target cannot be reached, is no gateway or refuses the key
  5 Touchstone itself crashed, or could not write what it was told to`;
