import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { threadId } from 'node:worker_threads';
import { messageOf, type RunResult } from '../core/index.ts';
import { holdFile } from '../engine/index.ts';
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
import { leaving } from '../wire/index.ts';
import { UsageError } from './failure.ts';

interface Format {
  /** Of the option, as a program has it. */
  readonly name: 'html' | 'json' | 'junit' | 'markdown' | 'ctrf' | 'badge' | 'writeKnownFailures';
  readonly description: string;
  /** A file that is there is not overwritten: people write into it. */
  readonly isEdited?: true;
  /** @param file its name */
  readonly render: (result: RunResult, shown: ShownExchanges, file: string) => string;
}

/** What a report can show of the exchanges that findings rest on. */
export interface ShownExchanges {
  readonly views: ExchangeViews;
  /** The reports of parts whose exchanges are not known. */
  readonly unrecorded?: readonly string[];
}

/** The reports that a run can write to a file. */
export const formats: readonly Format[] = [
  {
    name: 'html',
    description: 'one HTML file with every finding and its exchange, for people',
    render: (result, { views, unrecorded }) => renderHtml(result, views, unrecorded),
  },
  { name: 'json', description: 'the whole result, for programs', render: renderJson },
  { name: 'junit', description: 'JUnit XML', render: renderJunit },
  {
    name: 'markdown',
    description: 'Markdown, for a job summary',
    render: (result) => renderMarkdown(result),
  },
  { name: 'ctrf', description: 'Common Test Report Format (JSON)', render: renderCtrf },
  {
    name: 'badge',
    description: 'the verdict as a badge: SVG, or for a badge service when FILE ends in .json',
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

/** The option that names its file: `--write-known-failures`. */
export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Of the options of a command, those that name reports. */
export function reportFilesIn(options: ReportFiles): ReportFiles {
  return Object.fromEntries(formats.map(({ name }) => [name, options[name]]));
}

/** Where to write which report. */
export type ReportFiles = { readonly [Name in Format['name']]?: string | undefined };

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
      const there = statSync(file, { throwIfNoEntry: false });
      if (there?.isDirectory() === true) throw new Error('it is a folder');
      // Two runs would write over each other's reports.
      if (there?.isFile() !== false) holdFile(file);
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

/** Which reports there are now. */
export interface Writing {
  readonly written: ReportFiles;
  /** Which could not be written, and why. */
  readonly problems: readonly string[];
}

/**
 * Writes all reports that can be written: one that cannot keeps no other from it.
 *
 * @param exchanges gives what the HTML report shows; asked only when there is one to write
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
      writeWhole(file, render(result, shown, file));
      written[name] = file;
    } catch (error) {
      problems.push(`${optionOf(name)} ${file} was not written: ${messageOf(error)}`);
    }
  }
  return { written, problems };
}

/**
 * Writes a file at once: whoever reads it finds what was there before, or all of it, also when the disk is full
 * or two runs write it.
 */
export function writeWhole(file: string, text: string): void {
  const clean = leaving(text, file);
  const there = statSync(file, { throwIfNoEntry: false });
  // A device or a pipe is written to, and not replaced.
  if (there?.isFile() === false) {
    writeFileSync(file, clean);
    return;
  }
  const path = there === undefined ? file : realpathSync(file);
  const unfinished = `${path}.${process.pid}-${threadId}.tmp`;
  try {
    writeFileSync(unfinished, clean, { mode: (there?.mode ?? 0o666) & 0o777 });
    moveTo(path, unfinished);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function moveTo(path: string, finished: string): void {
  try {
    renameSync(finished, path);
  } catch {
    // Mounted by itself, as into a container, it can be written and not replaced.
    copyFileSync(finished, path);
  }
}
