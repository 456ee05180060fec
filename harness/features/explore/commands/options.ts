import type { Command } from 'commander';

/** Files that an exploration can write. */
export interface ExplorationFiles {
  readonly html?: string | undefined;
  readonly json?: string | undefined;
  readonly script?: string | undefined;
}

/** Description of each option that writes a report. */
const reports: Readonly<Record<keyof ExplorationFiles, string>> = {
  html: 'one HTML file with every find, its sequence diagram and its exchanges, for people',
  json: 'the whole result, for programs',
  script: 'a program for sh that repeats each find with curl; keys are read from the environment',
};

/** Adds the options for the reports of an exploration. */
export function addExplorationReports(command: Command): Command {
  for (const [name, what] of Object.entries(reports)) command.option(`--${name} <file>`, what);
  return command;
}

/** The option that only an exploration has. */
export const scriptMeaning = `of an exploration: ${reports.script}`;
