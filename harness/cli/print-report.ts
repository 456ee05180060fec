import { randomUUID } from 'node:crypto';
import { renderConsole } from '../report/console.ts';
import { renderGithub } from '../report/github.ts';
import type { RunResult } from '../spec/result.ts';
import { type Terminal, wantsColour } from './terminal.ts';

export interface PrintOptions {
  readonly colour: boolean;
  readonly quiet: boolean;
  /** Annotations for GitHub Actions, too. */
  readonly github: boolean;
}

/** Prints a run's report to standard output. */
export function printReport(result: RunResult, terminal: Terminal, options: PrintOptions): void {
  const { stdout, environment } = terminal;
  const report = renderConsole(result, {
    colour: options.colour && wantsColour(stdout, environment),
    // Some terminals say that they have no columns.
    width: stdout.columns || 100,
    quiet: options.quiet,
  });
  stdout.write(environment.GITHUB_ACTIONS === 'true' ? withoutCommands(report) : report);
  if (options.github) stdout.write(renderGithub(result));
}

/**
 * GitHub Actions obeys lines that start with `::`, also those that a gateway sent and a report quotes.
 * Between these two marks it does not; nobody can guess the second.
 */
function withoutCommands(report: string): string {
  const mark = randomUUID();
  return `::stop-commands::${mark}\n${report}::${mark}::\n`;
}
