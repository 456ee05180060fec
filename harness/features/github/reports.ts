import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, type RunResult } from '../../kernel/core/index.ts';
import { reportFiles } from './command-line.ts';

/** The folders with reports: the named one, and its subfolders, one for each of several targets. */
function foldersOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return ['', ...inside];
}

/** The reports in a folder, by their paths in it. */
export function reportsIn(folder: string): string[] {
  return foldersOf(folder)
    .map((name) => join(name, reportFiles.json))
    .filter((path) => existsSync(join(folder, path)));
}

/** Removes reports of an earlier step, which would be mistaken for those of this one. */
export function removeReports(folder: string): void {
  for (const name of foldersOf(folder)) {
    for (const file of Object.values(reportFiles))
      rmSync(join(folder, name, file), { force: true });
  }
}

/** The verdict that represents several: that with the worst exit code. */
export function worstOf(results: readonly RunResult[]): RunResult | undefined {
  const order = [0, 2, 1];
  return [...results].sort(
    (one, other) => order.indexOf(exitCode(other.verdict)) - order.indexOf(exitCode(one.verdict)),
  )[0];
}
