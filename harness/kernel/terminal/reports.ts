import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, type RunResult } from '../core/index.ts';
import { holdFile } from '../recordings/index.ts';
import { atEndOfCommand, writeText } from '../redaction/index.ts';
import {
  type ExchangeViews,
  renderBadge,
  renderBadgeEndpoint,
  renderCtrf,
  renderHtml,
  renderJson,
  renderJunit,
  renderKnownFailures,
  renderMarkdown,
} from '../report/index.ts';
import { assertApart, UsageError } from './failure.ts';

interface Format {
  /** Name of the option, in camel case. */
  readonly name: 'html' | 'json' | 'junit' | 'markdown' | 'ctrf' | 'badge' | 'writeKnownFailures';
  readonly description: string;
  /** Reason why the GitHub action has no input for it. */
  readonly notInput?: string;
  /** Never overwrites an existing file, because users edit it. */
  readonly isEdited?: true;
  /** @param file its name */
  readonly render: (result: RunResult, shown: ShownExchanges, file: string) => string;
}

export interface ShownExchanges {
  readonly views: ExchangeViews;
  /** Reports of parts of a run without a recording. */
  readonly unrecorded?: readonly string[];
}

const notInput = 'written into the folder `reports`';

/** The reports that a run can write to a file. */
export const formats: readonly Format[] = [
  {
    name: 'html',
    description: 'one HTML file with every finding and its exchange, for people',
    notInput,
    render: (result, { views, unrecorded }) => renderHtml(result, views, unrecorded),
  },
  { name: 'json', description: 'the whole result, for programs', notInput, render: renderJson },
  { name: 'junit', description: 'JUnit XML', notInput, render: renderJunit },
  {
    name: 'markdown',
    description: 'Markdown, for a job summary',
    notInput: 'written to the job summary',
    render: (result) => renderMarkdown(result),
  },
  { name: 'ctrf', description: 'Common Test Report Format (JSON)', notInput, render: renderCtrf },
  {
    name: 'badge',
    description: 'the verdict as a badge: SVG, or for a badge service when FILE ends in .json',
    notInput,
    render: (result, _, file) =>
      file.endsWith('.json') ? renderBadgeEndpoint(result) : renderBadge(result),
  },
  {
    name: 'writeKnownFailures',
    description: 'what failed now, as a first list for --known-failures; never overwrites a file',
    isEdited: true,
    render: renderKnownFailures,
  },
];

/** Returns the option for a file: `--write-known-failures`. */
export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function reportFilesIn(options: ReportFiles): ReportFiles {
  return Object.fromEntries(formats.map(({ name }) => [name, options[name]]));
}

export type ReportFiles = { readonly [Name in Format['name']]?: string | undefined };

/**
 * Checks that files can be written, before a run that costs money.
 *
 * @param files by the options that name them
 * @throws {UsageError} naming the first that cannot be written
 */
export function assertWritable(files: Readonly<Record<string, string | undefined>>): void {
  const named = Object.entries(files).flatMap(([option, file]) =>
    file === undefined ? [] : [[option, file] as const],
  );
  for (const [option, file] of named) {
    assertApart('written', file, `${optionOf(option)} ${file}`);
  }
  for (const [option, file] of named) {
    try {
      const folder = dirname(resolve(file));
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      const there = statSync(file, { throwIfNoEntry: false });
      if (there?.isDirectory() === true) throw new Error('it is a folder');
      // Two runs would overwrite each other's reports.
      if (there?.isFile() !== false) atEndOfCommand(holdFile(file));
      const isEdited = formats.some(({ name, isEdited }) => name === option && isEdited);
      if (isEdited && existsSync(file)) {
        throw new Error('it is there already, and may have been edited: name a new one');
      }
    } catch (error) {
      throw new UsageError(
        `${optionOf(option)} ${file}: this file cannot be written: ${messageOf(error)}`,
      );
    }
  }
}

interface Writing {
  readonly written: ReportFiles;
  /** Reports that could not be written, with the reasons. */
  readonly problems: readonly string[];
}

/**
 * Writes all reports. An error of one does not prevent the others.
 *
 * @param exchanges returns the exchanges for the HTML report; called only if there is one
 */
export async function writeReports(
  result: RunResult,
  files: ReportFiles,
  exchanges: () => Promise<ShownExchanges>,
): Promise<Writing> {
  const problems: string[] = [];
  const written: { [Name in Format['name']]?: string } = {};
  for (const { name, render } of formats) {
    const file = files[name];
    if (file === undefined) continue;
    try {
      const shown = name === 'html' ? await exchanges() : { views: new Map() };
      writeText(file, render(result, shown, file));
      written[name] = file;
    } catch (error) {
      problems.push(`${optionOf(name)} ${file} was not written: ${messageOf(error)}`);
    }
  }
  return { written, problems };
}
