import { readFileSync } from 'node:fs';
import type { RunResult } from '../core/index.ts';
import { NoReport, readReport } from '../report/index.ts';
import { UsageError } from './failure.ts';

/** Reads the JSON report of a run. @throws {UsageError} if it cannot be read, or is none */
export function reportAt(path: string): RunResult {
  try {
    return readReport(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof NoReport) throw new UsageError(error.message);
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${path} cannot be read: ${reason}. Name a report that \`run --json\` wrote.`,
    );
  }
}
