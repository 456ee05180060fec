import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { RunResult } from '../core/index.ts';
import {
  type ConsoleOptions,
  type PlaceOf,
  printable,
  printed,
  renderConsole,
  renderGithub,
  renderGithubOfTargets,
  type TargetOutcome,
  targetsDocument,
  wordOf,
} from '../report/index.ts';
import { type Terminal, wantsColour } from './terminal.ts';

interface PrintOptions {
  readonly color: boolean;
  readonly quiet?: boolean | undefined;
  /** Every finding and every reason in full. */
  readonly verbose?: boolean | undefined;
  /** Annotations for GitHub Actions, too. */
  readonly github?: boolean | undefined;
}

/** Prints a run's report to standard output. */
export function printReport(result: RunResult, terminal: Terminal, options: PrintOptions): void {
  printText(renderConsole(result, consoleOf(terminal, options)), terminal);
  if (options.github === true) writeCommands(renderGithub(result, placesIn(terminal)), terminal);
}

/** Prints what became of several targets: each, and at the end a line for each. */
export function printTargets(
  outcomes: readonly TargetOutcome[],
  terminal: Terminal,
  options: PrintOptions,
): void {
  const look = consoleOf(terminal, options);
  const sections = outcomes.map((outcome) => {
    const { name, result } = outcome;
    const body =
      result === null
        ? `${wordOf(outcome)}\n${printable(outcome.why)}\n`
        : renderConsole(result, look);
    return `\n━━ ${printable(name)} ━━\n${body}`;
  });
  printText(`${sections.join('')}\n${printed(targetsDocument(outcomes), look)}`, terminal);
  if (options.github === true)
    writeCommands(renderGithubOfTargets(outcomes, placesIn(terminal)), terminal);
}

/** Places annotations at the line of the target file that has the address of the gateway. */
function placesIn({ environment }: Terminal): PlaceOf {
  return ({ invocation }) => {
    const target = invocation?.target;
    if (target === undefined) return null;
    const { GITHUB_WORKSPACE: repository = '.' } = environment;
    const file = relative(repository, target).replaceAll('\\', '/');
    if (file.startsWith('..')) return null;
    return { file, line: lineOfAddress(target) };
  };
}

function lineOfAddress(file: string): number {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.findIndex((line) => /\bbaseUrl:/.test(line)) + 1 || 1;
  } catch {
    // The file was removed meanwhile, so the annotation points to its first line.
    return 1;
  }
}

/** Settings for printing reports on this terminal. */
export function consoleOf(
  { stdout, environment }: Terminal,
  { color, quiet = false, verbose = false }: PrintOptions,
): Required<ConsoleOptions> {
  // Some terminals report zero columns.
  const width = stdout.columns || 100;
  return { colour: color && wantsColour(stdout, environment), width, quiet, verbose };
}

/** Prints text that may quote a gateway. */
export function printText(report: string, terminal: Terminal): void {
  if (terminal.environment.GITHUB_ACTIONS !== 'true') {
    terminal.stdout.write(report);
    return;
  }
  // Twice safe: the output itself breaks what looks like a command, and between these two marks GitHub obeys none.
  // Nobody can guess the second.
  const mark = randomUUID();
  writeCommands(`::stop-commands::${mark}\n`, terminal);
  terminal.stdout.write(report);
  writeCommands(`::${mark}::\n`, terminal);
}

/** Prints what a pipeline is to obey. */
function writeCommands(text: string, { stdout }: Terminal): void {
  if (stdout.commands === undefined) stdout.write(text);
  else stdout.commands(text);
}
