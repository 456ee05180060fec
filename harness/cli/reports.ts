import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { renderJson } from '../report/json.ts';
import type { RunResult } from '../spec/result.ts';
import { UsageError } from './failure.ts';

/** The options that write a report, by their names, with what makes it. */
const formats = {
  json: renderJson,
} as const satisfies Record<string, (result: RunResult) => string>;

type Format = keyof typeof formats;

const formatNames: readonly Format[] = ['json'];

/** Where to write which report. */
export type ReportFiles = { readonly [Name in Format]?: string };

/**
 * Sees to it that the reports can be written, before a run that somebody pays for.
 *
 * @throws {UsageError} naming the file that cannot
 */
export function prepareReports(files: ReportFiles): void {
  for (const name of formatNames) {
    const file = files[name];
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
      throw new UsageError(`--${name} ${file}: this file cannot be written: ${reason}`);
    }
  }
}

export function writeReports(result: RunResult, files: ReportFiles): void {
  for (const name of formatNames) {
    const file = files[name];
    if (file !== undefined) writeFileSync(file, formats[name](result));
  }
}
