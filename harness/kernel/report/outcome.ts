import {
  type CheckResult,
  type CheckState,
  isAllowed,
  printable,
  type RunResult,
} from '../core/index.ts';
import { findingSection, plainLines } from './finding.ts';
import type { ResultOf } from './summary.ts';
import { causeWords, triesInWords } from './words.ts';

/** Outcome of a check, in the few states that other programs know. */
interface Outcome {
  /** `other` is an undecided check. */
  readonly status: 'passed' | 'failed' | 'skipped' | 'other';
  /** Message of one line, or null. */
  readonly message: string | null;
  /** All details, over several lines. */
  readonly detail: string | null;
}

/** States of checks of which there is nothing to know but the reason. */
export const undue: ReadonlySet<CheckState> = new Set(['not-applicable', 'excluded']);

/** True if a check was to be judged. */
export function isDue({ verdict }: Pick<CheckResult, 'verdict'>): boolean {
  return !undue.has(verdict.state);
}

/**
 * Maps a check to a format with fewer states. A broken SHOULD passes unless the run is strict, with its finding as the
 * detail. A skipped check never passes. A known failure is skipped, and so is a check that could not be judged because
 * of one or is allowed to be inconclusive: these formats have no other state for a failure that does not count.
 */
export function outcomeOf(
  check: CheckResult,
  result: Pick<RunResult, 'strict' | 'knownFailures' | 'conversations' | 'allowedInconclusive'>,
): Outcome {
  const { strict, knownFailures } = result;
  const { verdict } = check;
  if ('actual' in verdict && knownFailures?.excused.includes(check.id) === true) {
    const message = `known failure: expected ${oneLine(verdict.expected)}; ${oneLine(verdict.actual)}`;
    return { status: 'skipped', message, detail: null };
  }
  const isCovered = knownFailures?.covered?.includes(check.id) === true;
  const why = isCovered
    ? 'because of a known failure: '
    : isAllowed(check, result)
      ? 'allowed: '
      : null;
  switch (verdict.state) {
    case 'pass': {
      // A check that was decided in every round needs no message.
      const open = check.tries !== undefined && check.tries.undecided > 0;
      return { status: 'passed', message: open ? triesInWords(check) : null, detail: null };
    }
    case 'fail':
      return { status: 'failed', ...told({ ...check, verdict }, result) };
    case 'warn':
      return { status: strict ? 'failed' : 'passed', ...told({ ...check, verdict }, result) };
    case 'note':
      return { status: 'passed', message: `noted: ${oneLine(verdict.actual)}`, detail: null };
    case 'inconclusive':
      return {
        status: why === null ? 'other' : 'skipped',
        message: `${why ?? ''}inconclusive (${verdict.cause}): ${oneLine(verdict.reason)}`,
        detail: `${causeWords[verdict.cause]}: ${printable(verdict.reason)}`,
      };
    case 'error':
      return {
        status: 'other',
        message: `${verdict.state}: ${oneLine(verdict.reason)}`,
        detail: printable(verdict.reason),
      };
    case 'not-applicable':
    case 'untestable':
    case 'excluded':
      return {
        status: 'skipped',
        message: `${verdict.state}: ${oneLine(verdict.reason)}`,
        detail: null,
      };
  }
}

function told(
  check: ResultOf<'fail' | 'warn'>,
  result: Pick<RunResult, 'conversations'>,
): Pick<Outcome, 'message' | 'detail'> {
  const { expected, actual } = check.verdict;
  const tried = triesInWords(check);
  const rate = tried === null ? '' : `; ${tried}`;
  return {
    message: `expected ${oneLine(expected)}; ${oneLine(actual)}${rate}`,
    detail: plainLines(findingSection(check, result)),
  };
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
