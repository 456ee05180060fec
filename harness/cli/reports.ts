import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { renderBadge } from '../report/badge.ts';
import { renderCtrf } from '../report/ctrf.ts';
import { renderJson } from '../report/json.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { RunResult } from '../spec/result.ts';
import { UsageError } from './failure.ts';

interface Format {
  /** Name of the option, too. */
  readonly name: 'json' | 'junit' | 'markdown' | 'ctrf' | 'badge';
  readonly description: string;
  readonly render: (result: RunResult) => string;
}

/** The reports that a run can write to a file. */
export const formats: readonly Format[] = [
  { name: 'json', description: 'the whole result, for programs', render: renderJson },
  { name: 'junit', description: 'JUnit XML', render: renderJunit },
  { name: 'markdown', description: 'Markdown, for a job summary', render: renderMarkdown },
  { name: 'ctrf', description: 'Common Test Report Format (JSON)', render: renderCtrf },
  { name: 'badge', description: 'the verdict as a badge (SVG)', render: renderBadge },
];

/** Where to write which report. */
export type ReportFiles = { readonly [Name in Format['name']]?: string };

/**
 * Sees to it that files can be written, before a run that somebody pays for.
 *
 * @param files by the options that name them
 * @throws {UsageError} naming the file that cannot
 */
export function assertWritable(files: Readonly<Record<string, string | undefined>>): void {
  for (const [option, file] of Object.entries(files)) {
    if (file === undefined) continue;
    try {
      const folder = dirname(resolve(file));
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
        throw new Error('it is a folder');
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`--${option} ${file}: this file cannot be written: ${reason}`);
    }
  }
}

export function writeReports(result: RunResult, files: ReportFiles): void {
  for (const { name, render } of formats) {
    const file = files[name];
    if (file !== undefined) writeFileSync(file, render(result));
  }
}
