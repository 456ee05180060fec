import type { Command } from 'commander';

/** What an exploration can write. */
export interface ExplorationFiles {
  readonly html?: string | undefined;
  readonly json?: string | undefined;
  readonly script?: string | undefined;
}

/** What each option writes, wherever there is one. */
const reports: Readonly<Record<keyof ExplorationFiles, string>> = {
  html: 'one HTML file with every find, its sequence diagram and its exchanges, for people',
  json: 'the whole result, for programs',
  script: 'a program for sh that repeats each find with curl; keys are read from the environment',
};

/** What an exploration writes, as options. */
export function addExplorationReports(command: Command): Command {
  for (const [name, what] of Object.entries(reports)) command.option(`--${name} <file>`, what);
  return command;
}

/** The option that only an exploration has. */
export const scriptMeaning = `of an exploration: ${reports.script}`;
