import { InvalidArgumentError } from 'commander';
import {
  type CheckResult,
  type CheckState,
  formatSender,
  loadCatalogue,
  parseId,
  type RunResult,
} from '../../core/index.ts';
import type { Selection } from '../../engine/index.ts';
import type { Target } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';

/** Part of a run: shard `index` of `of`. */
export interface ShardNumber {
  /** Number of the part, from 1. */
  readonly index: number;
  readonly of: number;
}

/** Parses `2/5`. */
export function shardNumber(text: string): ShardNumber {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new InvalidArgumentError('Expected i/n, such as 1/4: the first of four parts.');
  }
  return { index, of };
}

const toRepeat: ReadonlySet<CheckState> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Nothing failed in an earlier run. */
export class NothingToRepeat extends UsageError {
  override readonly name = 'NothingToRepeat';
}

/**
 * Selects the checks that did not pass in an earlier run: failures, warnings, and undecided ones.
 *
 * @param file the report, for messages
 * @throws {UsageError} when there is none, or none that this suite still has
 */
export function failedIn(report: RunResult, file: string): Selection {
  const failed = report.checks.filter(({ verdict }) => toRepeat.has(verdict.state));
  const known = new Set(loadCatalogue().checks.map(({ id }) => id));
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

/** The scenarios that showed what is judged everywhere to be broken: without them it may well hold. */
export function offendersOf(failed: readonly CheckResult[]): string[] {
  const names = failed.flatMap(({ everywhere, verdict }) => {
    const evidence = 'evidence' in verdict ? verdict.evidence : null;
    const id = evidence === null ? null : parseId(evidence.exchange);
    return everywhere === undefined || id === null ? [] : formatSender(id);
  });
  return [...new Set(names)];
}

/**
 * The checks of one part of a run. It depends on the target, the ids asked for and the suite, so all
 * parts are split alike when these are. What is judged everywhere is judged in each part.
 *
 * @param within what to split, when that is less than the filters select
 * @throws {UsageError} when there are more parts than something could be given to
 */
export async function shardOf(
  target: Target,
  filters: readonly string[],
  { index, of }: ShardNumber,
  within?: Selection,
): Promise<Selection> {
  const { plan } = await import('../../engine/plan.ts');
  const { split } = await import('../../engine/schedule/shards.ts');
  const planned = await plan(target, filters);
  const wanted = within === undefined ? null : new Set(within.ids);
  const checks = planned.checks.filter(({ id }) => wanted === null || wanted.has(id));
  const shards = split({ ...planned, checks }, of);
  const used = shards.filter(({ ids }) => ids.length > 0).length;
  const ids = shards[index - 1]?.ids ?? [];
  const own = new Set(ids);
  if (ids.length === 0) {
    throw new UsageError(
      `--shard ${index}/${of}: nothing is left for this part: ${used} parts have all there is. Split into fewer.`,
    );
  }
  const others = checks.filter(({ id }) => !own.has(id));
  const along = others.filter(({ everywhere }) => everywhere === true).map(({ id }) => id);
  return {
    ids: [...ids, ...along],
    others: within?.others ?? 'Not in any part of the run',
    elsewhere: others.map(({ id }) => id).filter((id) => !along.includes(id)),
    along,
    besides: index === 1 ? (within?.besides ?? []) : [],
  };
}
