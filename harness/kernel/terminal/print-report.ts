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
import { inOurTexts, type Terminal, wantsColour } from './terminal.ts';

interface PrintOptions {
  readonly color: boolean;
  readonly quiet?: boolean | undefined;
  /** Prints every finding and every reason in full. */
  readonly verbose?: boolean | undefined;
  /** Prints annotations for GitHub Actions, too. */
  readonly github?: boolean | undefined;
}

export function printReport(result: RunResult, terminal: Terminal, options: PrintOptions): void {
  printText(renderConsole(result, consoleOf(terminal, options)), terminal);
  if (options.github === true) writeCommands(renderGithub(result, placesIn(terminal)), terminal);
}

/** Prints the reports of several targets, followed by a line for each. */
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

/** Places annotations at the line of the target file with the gateway's address. */
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
    // The file was removed meanwhile: the annotation points to its first line.
    return 1;
  }
}

/** Returns the settings for printing reports on this terminal. */
export function consoleOf(
  { stdout, environment }: Terminal,
  { color, quiet = false, verbose = false }: PrintOptions,
): Required<ConsoleOptions> {
  // Some terminals report zero columns.
  const width = stdout.columns || 100;
  return { colour: color && wantsColour(stdout, environment), width, quiet, verbose };
}

/** Prints text that may quote a gateway. Command lines in it begin with the command that the user typed. */
export function printText(text: string, terminal: Terminal): void {
  const report = inOurTexts(text, terminal.program);
  if (terminal.environment.GITHUB_ACTIONS !== 'true') {
    terminal.stdout.write(report);
    return;
  }
  // A second safeguard: the output already escapes commands, and between these two marks GitHub ignores them. The
  // mark is random, so that quoted text cannot end the section.
  const mark = randomUUID();
  writeCommands(`::stop-commands::${mark}\n`, terminal);
  terminal.stdout.write(report);
  writeCommands(`::${mark}::\n`, terminal);
}

/** Prints commands for a pipeline, unescaped. */
function writeCommands(text: string, { stdout }: Terminal): void {
  if (stdout.commands === undefined) stdout.write(text);
  else stdout.commands(text);
}
