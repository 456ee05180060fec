import type { RunResult } from '../core/index.ts';
import { printable } from '../report/index.ts';
import { Unwritten } from './failure.ts';
import { openInBrowser } from './open-in-browser.ts';
import { formats, type ReportFiles, type ShownExchanges, writeReports } from './reports.ts';
import type { Terminal } from './terminal.ts';

export interface WrittenFiles extends ReportFiles {
  readonly record?: string | undefined;
}

interface Delivery {
  readonly quiet?: boolean | undefined;
  /** Opens the HTML report. */
  readonly open?: boolean | undefined;
  readonly unrecorded?: string | null;
}

/**
 * Writes the reports of a run, prints their names, and opens the HTML report if requested.
 *
 * @throws {Unwritten} after all have been tried, naming those that could not be written
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

/** @throws {Unwritten} if there are any problems */
export function assertWritten(problems: readonly string[]): void {
  if (problems.length > 0) throw new Unwritten(problems);
}

/** Prints the names of written files, and opens the first HTML report. */
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
