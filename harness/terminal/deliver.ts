import type { RunResult } from '../core/result.ts';
import { printable } from '../report/printable.ts';
import { openInBrowser } from './open-in-browser.ts';
import { formats, type ReportFiles, type ShownExchanges, writeReports } from './reports.ts';
import type { Terminal } from './terminal.ts';

/** What a command wrote, and where. */
export interface WrittenFiles extends ReportFiles {
  readonly record?: string | undefined;
}

/** What a reader is told of files. */
export interface Delivery {
  /** Nothing is told. */
  readonly quiet: boolean;
  /** The HTML report is opened. */
  readonly open?: boolean;
}

/** Writes the reports of a run, says which files there are now, and opens the one for a browser. */
export async function deliverReports(
  result: RunResult,
  files: WrittenFiles,
  exchanges: () => Promise<ShownExchanges>,
  terminal: Terminal,
  delivery: Delivery,
): Promise<void> {
  await writeReports(result, files, exchanges);
  await tellOf([files], terminal, delivery);
}

/** Says which files were written, and opens the first that is for a browser. */
export async function tellOf(
  written: readonly WrittenFiles[],
  terminal: Terminal,
  { quiet, open = false }: Delivery,
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
