import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { renderBadge, renderBadgeEndpoint } from '../report/badge.ts';
import { renderCtrf } from '../report/ctrf.ts';
import type { ExchangeView } from '../report/exchange-view.ts';
import { renderHtml } from '../report/html.ts';
import { renderJson } from '../report/json.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { RunResult } from '../spec/result.ts';
import { exchangeViews } from './exchange-views.ts';
import { UsageError } from './failure.ts';

interface Format {
  /** Name of the option, too. */
  readonly name: 'html' | 'json' | 'junit' | 'markdown' | 'ctrf' | 'badge';
  readonly description: string;
  /**
   * @param exchanges those that findings rest on, by their keys, where a report shows them
   * @param file its name
   */
  readonly render: (
    result: RunResult,
    exchanges: ReadonlyMap<string, ExchangeView>,
    file: string,
  ) => string;
}

/** The reports that a run can write to a file. */
export const formats: readonly Format[] = [
  {
    name: 'html',
    description: 'one HTML file with every finding and its exchange, for people',
    render: renderHtml,
  },
  { name: 'json', description: 'the whole result, for programs', render: renderJson },
  { name: 'junit', description: 'JUnit XML', render: renderJunit },
  { name: 'markdown', description: 'Markdown, for a job summary', render: renderMarkdown },
  { name: 'ctrf', description: 'Common Test Report Format (JSON)', render: renderCtrf },
  {
    name: 'badge',
    description: 'the verdict as a badge: SVG, or for a badge service when FILE ends in .json',
    render: (result, _, file) =>
      file.endsWith('.json') ? renderBadgeEndpoint(result) : renderBadge(result),
  },
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

/** @param recording the file that the run was recorded to; needed for the HTML report only */
export async function writeReports(
  result: RunResult,
  files: ReportFiles,
  recording: string | undefined,
): Promise<void> {
  const exchanges =
    files.html === undefined || recording === undefined
      ? new Map<string, ExchangeView>()
      : await exchangeViews(recording, result);
  for (const { name, render } of formats) {
    const file = files[name];
    if (file !== undefined) writeFileSync(file, render(result, exchanges, file));
  }
}
