import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  budgets,
  commandLine,
  messageOf,
  readForeign,
  whyUnreadable,
} from '../../kernel/core/index.ts';
import { isReport, NoReport, readReport } from '../../kernel/report/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';
import { type History, historyOf, type LeftOut } from './history/history.ts';
import { type PastRun, pastRun } from './history/past-run.ts';

/**
 * Reads all reports of a folder, at any depth. Other files are counted. Unreadable reports are named. Only one
 * report is in memory at a time.
 *
 * @param folder as the user named it
 * @throws {UsageError} when there is no such folder, or no report in it
 */
export function readHistory(folder: string): History {
  const runs: PastRun[] = [];
  const leftOut: LeftOut[] = [];
  let ignored = 0;
  for (const path of filesIn(folder)) {
    const file = relative(folder, path).split(sep).join('/');
    const found = path.endsWith('.json') ? reportIn(path, file) : null;
    if (found === null) ignored++;
    else if ('reason' in found) leftOut.push(found);
    else runs.push(found);
  }
  if (runs.length === 0) {
    const broken = leftOut.map(({ file, reason }) => `\n  ${file}: ${reason}`).join('');
    throw new UsageError(
      `${folder} has no report. Keep one of each run there: ${commandLine(['touchstone', 'run', '--json', join(folder, '<name>.json')])}${broken}`,
    );
  }
  return historyOf(folder, runs, leftOut, ignored);
}

/** Reads a report. Returns null if the file is something else. */
function reportIn(path: string, file: string): PastRun | LeftOut | null {
  let text: string;
  try {
    text = readForeign(path, budgets.report);
  } catch (error) {
    return { file, reason: whyUnreadable(error) };
  }
  try {
    const report = readReport(text, file);
    return isReport(report)
      ? pastRun(file, report)
      : { file, reason: 'it is not as fixtures/report.schema.json says' };
  } catch (error) {
    if (!(error instanceof NoReport)) throw error;
    return isMeantAsReport(text) ? { file, reason: reasonOf(error, file) } : null;
  }
}

/** True if a text is meant as a report, even if it is truncated: the first lines tell. */
function isMeantAsReport(text: string): boolean {
  return text.trim() === '' || text.slice(0, 4_096).includes('"gateway-touchstone/report"');
}

/** Returns the message without the name of the file, which is printed before it. */
function reasonOf({ message }: Error, file: string): string {
  return message.replace(`${file} is`, 'it is').replace(/ (A report|One) is written by .*$/, '');
}

/** Files of a folder, by name. Links to folders are not followed. */
function filesIn(folder: string): string[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(folder);
  } catch (error) {
    throw new UsageError(`${folder} cannot be read as a folder: ${messageOf(error)}`);
  }
  return entries
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith('.')) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
    });
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
