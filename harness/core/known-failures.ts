import type { CheckResult, KnownFailures, RunResult } from './result.ts';
import { runVerdict } from './verdict.ts';

/** An id in a file of known failures: of a check, or of a requirement, which stands for its values. */
export interface KnownFailure {
  readonly id: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Reads a file of known failures: an id on each line. A `#` starts a comment.
 *
 * Whether the ids exist is not looked at: see `unknownOf`.
 */
export function readKnownFailures(text: string): KnownFailure[] {
  return text.split('\n').flatMap((content, index) => {
    const id = content.replace(/#.*/, '').trim();
    return id === '' ? [] : [{ id, line: index + 1 }];
  });
}

/** The entries that name neither a check nor a requirement that has one. */
export function unknownOf(
  known: readonly KnownFailure[],
  checks: readonly { readonly id: string; readonly requirement: { readonly id: string } }[],
): KnownFailure[] {
  const ids = new Set(checks.flatMap(({ id, requirement }) => [id, requirement.id]));
  return known.filter(({ id }) => !ids.has(id));
}

/**
 * A run with its known failures taken out of its verdict. They stay what they are among the checks.
 * An entry of which nothing fails any more is stale, and makes the run nonconformant: the list would
 * hide the next failure. Where something could not be decided, or was left out, it is not stale.
 *
 * @param file where the entries stand, for reports
 * @param needed entries that something else still needs, another target of the same list, say: these
 *   are not stale
 */
export function excuse(
  result: RunResult,
  file: string,
  known: readonly KnownFailure[],
  needed: ReadonlySet<string> = new Set(),
): RunResult {
  const entries = [...new Set(known.map(({ id }) => id))];
  const listed = result.checks.filter((check) => entries.some((entry) => covers(entry, check)));
  const excused = listed.filter((check) => failsRun(check, result.strict)).map(({ id }) => id);
  const stale = entries.filter((entry) => {
    const own = result.checks.filter((check) => covers(entry, check));
    const isFixed = own.length > 0 && own.every(({ verdict }) => fixed.has(verdict.state));
    return isFixed && !needed.has(entry);
  });
  const knownFailures: KnownFailures = { file, entries, excused, stale };
  const forgiven = new Set(excused);
  const verdict = runVerdict(
    result.checks.map((check) =>
      forgiven.has(check.id) ? { level: check.level, verdict: { state: 'pass' } } : check,
    ),
    { strict: result.strict },
  );
  return { ...result, verdict: stale.length > 0 ? 'nonconformant' : verdict, knownFailures };
}

/** Whether a check makes its run nonconformant, were it not known to. */
export function failsRun({ verdict }: CheckResult, strict: boolean): boolean {
  return verdict.state === 'fail' || (strict && verdict.state === 'warn');
}

/** A warning is not fixed, though it fails a strict run only: the same list serves both. */
const fixed = new Set(['pass', 'note', 'not-applicable']);

/** What a list of known failures says of one check, and is worth telling a reader. */
export type Listed = 'excused' | 'stale';

/** The checks that a run's list of known failures excused, or names without effect, by their ids. */
export function listedIn({ checks, knownFailures }: RunResult): ReadonlyMap<string, Listed> {
  const { excused = [], stale = [] } = knownFailures ?? {};
  const vain = checks.filter((check) => stale.some((entry) => covers(entry, check)));
  return new Map([
    ...vain.map(({ id }) => [id, 'stale'] as const),
    ...excused.map((id) => [id, 'excused'] as const),
  ]);
}

function covers(entry: string, { id, requirement }: CheckResult): boolean {
  return entry === id || entry === requirement;
}
