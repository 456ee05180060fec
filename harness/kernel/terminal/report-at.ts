import { budgets, type RunResult, readForeign, whyUnreadable } from '../core/index.ts';
import { NoReport, readReport } from '../report/index.ts';
import { UsageError } from './failure.ts';

/** Reads the JSON report of a run. @throws {UsageError} if it cannot be read, or is none */
export function reportAt(path: string): RunResult {
  try {
    return readReport(readForeign(path, budgets.report), path);
  } catch (error) {
    if (error instanceof NoReport) throw new UsageError(error.message);
    throw new UsageError(
      `${path}: ${whyUnreadable(error)} Name a report that \`run --json\` wrote.`,
    );
  }
}
