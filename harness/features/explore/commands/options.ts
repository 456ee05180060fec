import type { Command } from 'commander';
import { type ExplorationFiles, scriptMeaning } from '../../../kernel/cli/index.ts';

const reports: Readonly<Record<keyof ExplorationFiles, string>> = {
  html: 'one HTML file with every find, its sequence diagram and its exchanges, for people',
  json: 'the whole result, for programs',
  script: scriptMeaning,
};

export function addExplorationReports(command: Command): Command {
  for (const [name, what] of Object.entries(reports)) command.option(`--${name} <file>`, what);
  return command;
}
