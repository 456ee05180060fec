import type { RunResult } from '../core/index.ts';
import { printable } from '../report/index.ts';
import { Unwritten } from './failure.ts';
import { openInBrowser } from './open-in-browser.ts';
import { formats, type ReportFiles, type ShownExchanges, writeReports } from './reports.ts';
import type { Terminal } from './terminal.ts';

/** Files that a command wrote. */
export interface WrittenFiles extends ReportFiles {
  readonly record?: string | undefined;
}

/** Settings for the messages about written files. */
interface Delivery {
  /** True to print nothing. */
  readonly quiet?: boolean | undefined;
  /** The HTML report is opened. */
  readonly open?: boolean | undefined;
  /** Reason why the recording is incomplete. */
  readonly unrecorded?: string | null;
}

/**
 * Writes the reports of a run, says which files there are now, and opens the one for a browser.
 *
 * @throws {Unwritten} when all have been tried, naming those that could not be written
 */
export async function deliverReports(
  result: RunResult,
  files: WrittenFiles,
  exchanges: () => Promise<ShownExchanges>,
  terminal: Terminal,
  delivery: Delivery,
): Promise<void> {
  const { record } = files;
  const { unrecorded = null } = delivery;
  const { written, problems } = await writeReports(result, files, exchanges);
  await tellOf([{ ...written, record }], terminal, delivery);
  assertWritten([...problems, ...(unrecorded === null ? [] : [unrecorded])]);
}

/** @throws {Unwritten} when there are some */
export function assertWritten(problems: readonly string[]): void {
  if (problems.length > 0) throw new Unwritten(problems);
}

/** Says which files were written, and opens the first that is for a browser. */
export async function tellOf(
  written: readonly WrittenFiles[],
  terminal: Terminal,
  { quiet = false, open = false }: Delivery,
): Promise<void> {
  const names = written.flatMap((files) =>
    [...formats.map(({ name }) => files[name]), files.record].flatMap((file) => file ?? []),
  );
  const all = [...new Set(names)].map(printable);
  if (!quiet && all.length > 0) terminal.stdout.write(`Written: ${all.join(', ')}\n`);
  const page = written.find(({ html }) => html !== undefined)?.html;
  if (!open || page === undefined) return;
  const problem = await openInBrowser(page, terminal.environment);
  if (problem !== null) terminal.stderr.write(`${printable(page)} was not opened: ${problem}\n`);
}
