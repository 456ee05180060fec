import {
  allowing,
  excuse,
  exitCode,
  exitCodes,
  loadCatalogue,
  type RunResult,
  sideOf,
  verdictThatCounts,
} from '../../core/index.ts';
import { assertWritable, reportAt } from '../../terminal/index.ts';
import { knownFailuresAt } from '../options/known-failures.ts';
import type { Excuses } from '../options/run-table.ts';
import { failedIn } from '../options/selection.ts';
import type { RunFiles } from '../options/target-placeholder.ts';

/**
 * Checks that every file named by an option can be used, before a run that costs money.
 *
 * @throws {UsageError} naming the file and its problem
 */
export function assertUsable({ knownFailures, rerunFailed, ...written }: RunFiles): void {
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, loadCatalogue('both-sides'));
  if (rerunFailed !== undefined) failedIn(reportAt(rerunFailed), rerunFailed);
  assertWritable(written);
}

/**
 * Returns a result without its known failures, and with the causes that may stay inconclusive.
 *
 * @param needed entries that another target still needs
 */
export function excused(
  judged: RunResult,
  { knownFailures: file, allowInconclusive = [] }: Excuses,
  needed?: ReadonlySet<string>,
): RunResult {
  const result = allowing(judged, allowInconclusive);
  if (file === undefined) return result;
  const catalogue = loadCatalogue(sideOf(result));
  return excuse(result, file, knownFailuresAt(file, catalogue), needed);
}

/** Returns the exit code. An interrupted run has no tolerances: nobody chose what it left out. */
export function exitCodeOf(
  result: RunResult,
  { allowPartial = false }: Pick<Excuses, 'allowPartial'>,
): number {
  if (!result.interrupted) return exitCode(verdictThatCounts(result), { allowPartial });
  return result.verdict === 'partial' ? exitCodes.undecided : exitCode(result.verdict);
}
