import { Command } from 'commander';
import { suiteVersion } from '../engine/assemble.ts';
import { failureOf } from '../terminal/failure.ts';
import { inOurTexts, type Terminal } from '../terminal/terminal.ts';
import { keptFrom } from '../wire/masking/gate.ts';
import { certifyCommand } from './certify.ts';
import { clientCommand } from './client.ts';
import { completionCommand } from './completion.ts';
import { demoCommand } from './demo.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { exploreCommand } from './explore.ts';
import { historyCommand } from './history.ts';
import { initCommand } from './init.ts';
import { listCommand } from './list.ts';
import { mergeCommand } from './merge.ts';
import { observeCommand } from './observe.ts';
import { takeOnce } from './options/option-values.ts';
import { planCommand } from './plan.ts';
import { proveCommand } from './prove.ts';
import { recheckCommand } from './recheck.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';
import { verifyCommand } from './verify.ts';

/**
 * Does what a command line says.
 *
 * @param line the arguments, without `node` and the script
 * @returns the exit code
 */
export async function touchstone(line: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const setExit = (code: number): void => {
    exitCode = code;
  };
  const program = commandLine(terminal, setExit, line);
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.message !== '') terminal.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  } finally {
    const where = keptFrom();
    if (where.length > 0) terminal.stderr.write(keyMasked(where));
  }
  return exitCode;
}

/** What the last gate found: nothing should be left for it. */
function keyMasked(where: readonly string[]): string {
  return (
    `WARNING: a key would have appeared in ${where.join(', ')}. It was masked there. The gateway shows it in a form ` +
    'that Touchstone did not find in the answers themselves: please report that.\n'
  );
}

/**
 * All commands with their options.
 *
 * @param exit is told the exit code of the one that ran
 * @param line what will be parsed
 */
export function commandLine(
  terminal: Terminal,
  exit: (code: number) => void,
  line: readonly string[] = [],
): Command {
  const program = new Command('touchstone')
    .description('Conformance tests for LLM API gateways.')
    .version(suiteVersion)
    .addHelpText('after', examples);
  for (const command of [
    runCommand(terminal, exit),
    demoCommand(terminal, exit),
    planCommand(terminal),
    clientCommand(terminal, exit, line),
    initCommand(terminal, exit),
    doctorCommand(terminal, exit),
    listCommand(terminal),
    serveCommand(terminal),
    exploreCommand(terminal, exit),
    explainCommand(terminal),
    diffCommand(terminal, exit),
    historyCommand(terminal),
    mergeCommand(terminal, exit),
    observeCommand(terminal, exit),
    recheckCommand(terminal, exit),
    certifyCommand(terminal, exit),
    verifyCommand(terminal, exit),
    proveCommand(terminal, exit),
    completionCommand(terminal),
  ]) {
    program.addCommand(command);
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
