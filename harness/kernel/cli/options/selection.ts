import {
  type CheckResult,
  type CheckState,
  formatSender,
  loadCatalogue,
  parseId,
  type RunResult,
} from '../../core/index.ts';
import type { Selection } from '../../recordings/index.ts';
import { UsageError } from '../../terminal/index.ts';

const toRepeat: ReadonlySet<CheckState> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Thrown if nothing failed in an earlier run. */
export class NothingToRepeat extends UsageError {
  override readonly name = 'NothingToRepeat';
}

/**
 * Selects the checks that did not pass in an earlier run: failures, warnings, and undecided ones.
 *
 * @param file path of the report, for messages
 * @throws {UsageError} if there are none, or if this suite has none of them any more
 */
export function failedIn(report: RunResult, file: string): Selection {
  const failed = report.checks.filter(({ verdict }) => toRepeat.has(verdict.state));
  const known = new Set(loadCatalogue('both-sides').checks.map(({ id }) => id));
  const ids = failed.map(({ id }) => id).filter((id) => known.has(id));
  if (ids.length === 0) {
    if (failed.length === 0) {
      throw new NothingToRepeat(
        `--rerun-failed ${file}: nothing failed there and nothing was left undecided. Run without it.`,
      );
    }
    throw new UsageError(
      `--rerun-failed ${file}: this suite has none of the ${failed.length} checks that failed there: ` +
        'it is the report of another version.',
    );
  }
  return { ids, others: `Passed, or was not tested, in ${file}`, besides: offendersOf(failed) };
}

/** Returns the scenarios at which `everywhere` checks failed: others might not show it. */
function offendersOf(failed: readonly CheckResult[]): string[] {
  const names = failed.flatMap(({ everywhere, verdict }) => {
    const evidence = 'evidence' in verdict ? verdict.evidence : null;
    const id = evidence === null ? null : parseId(evidence.exchange);
    return everywhere === undefined || id === null ? [] : formatSender(id);
  });
  return [...new Set(names)];
}
