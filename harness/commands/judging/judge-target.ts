import { randomInt } from 'node:crypto';
import { loadCatalogue } from '../../core/catalogue.ts';
import { allowing, excuse, verdictThatCounts } from '../../core/known-failures.ts';
import type { RunResult } from '../../core/result.ts';
import { exitCode, exitCodes } from '../../core/verdict.ts';
import type { Progress } from '../../engine/progress.ts';
import type { RunOptions } from '../../engine/run.ts';
import type { Selection } from '../../engine/selection.ts';
import type { Target } from '../../target/target.ts';
import type { RecordingFile } from '../../terminal/recording-file.ts';
import { assertWritable } from '../../terminal/reports.ts';
import { reportAt } from '../diff.ts';
import { budgetOf, isLimited, type Limits } from '../options/budget.ts';
import type { Excuses } from '../options/command-options.ts';
import { knownFailuresAt } from '../options/known-failures.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { failedIn, type ShardNumber, shardOf } from '../options/selection.ts';
import type { RunFiles } from '../options/target-placeholder.ts';

/** The seed of a run, and the part of the checks. */
export interface Chosen {
  readonly seed: number;
  readonly only?: Selection;
  /** What part it is, where the reader has not named it. */
  readonly said?: string;
}

/** What a run of one target depends on, besides its options. */
export interface Judging extends Chosen {
  readonly target: Target;
  readonly recording: RecordingFile;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Where it is judged; default: in this thread. */
  readonly judge?: (options: RunOptions) => Promise<RunResult>;
}

/**
 * Sees to it that every file that options name can be used, before a run that somebody pays for.
 *
 * @throws {UsageError} naming the file, and what is wrong with it
 */
export function assertUsable({ knownFailures, rerunFailed, ...written }: RunFiles): void {
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, loadCatalogue());
  if (rerunFailed !== undefined) failedIn(reportAt(rerunFailed), rerunFailed);
  assertWritable(written);
}

/**
 * The seed, and the part of the checks, that the options come to.
 *
 * @param chance the seed where nothing else says which
 * @throws {UsageError}
 */
export async function chosen(
  target: Target,
  { rerunFailed }: RunFiles,
  { filters, seed, shard, limits }: RunCommandOptions,
  chance = randomInt(2 ** 31),
): Promise<Chosen> {
  const earlier = rerunFailed === undefined ? undefined : reportAt(rerunFailed);
  const failed = earlier === undefined ? undefined : failedIn(earlier, rerunFailed ?? '');
  const part = shard === undefined ? failed : await shardOf(target, filters, shard, failed);
  const budget = isLimited(limits)
    ? await budgetOf(target, filters, shareOf(limits, shard), part)
    : null;
  const only = budget === null ? part : budget.only;
  // The parts of one run share all chance, or they could not be joined.
  const common = seed ?? earlier?.seed ?? (shard === undefined ? chance : 1);
  return {
    seed: common,
    ...(only === undefined ? {} : { only }),
    ...(budget === null ? {} : { said: budget.said }),
  };
}

/** The parts of a run together cost no more than the whole of it may. */
function shareOf(limits: Limits, shard: ShardNumber | undefined): Limits {
  if (shard === undefined) return limits;
  const { generations, tokens } = limits;
  const part = (all: number | undefined): number | undefined =>
    all === undefined
      ? undefined
      : Math.floor(all / shard.of) + (shard.index <= all % shard.of ? 1 : 0);
  return { ...limits, generations: part(generations), tokens: part(tokens) };
}

/** Judges one target. Its known failures are not taken out yet. */
export async function judgeTarget(
  { target, seed, only, recording, signal, onProgress, judge }: Judging,
  { filters, strict, sequence, settle, shard, limits, deadline, watch, shadow }: RunCommandOptions,
): Promise<RunResult> {
  // The engine is loaded for a run only: help, list and serve answer at once.
  const { run } = await import('../../engine/run.ts');
  const result = await (judge ?? run)({
    target,
    seed,
    filters,
    only,
    strict,
    sequence,
    settle,
    generations: shareOf(limits, shard).generations,
    onlyPlanned: limits.tokens !== undefined || limits.smoke,
    deadlineMs: deadline === undefined ? undefined : timeLeft(deadline, watch !== null),
    signal,
    recording: recording.path,
    onUnrecorded: recording.failed,
    onProgress,
  });
  if (shadow && !result.interrupted) {
    const { shadowed } = await import('../../observe/shadow.ts');
    return shadowed(result, { target, signal });
  }
  return shard === undefined ? result : { ...result, shard };
}

/** Of the time of a command, what is left for a run. Each run of a watch has all of it. */
function timeLeft(
  { since, ms }: NonNullable<RunCommandOptions['deadline']>,
  isWatch: boolean,
): number {
  return isWatch ? ms : Math.max(0, ms - (performance.now() - since));
}

/**
 * A result without its known failures, and with what may stay inconclusive.
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
  const catalogue = loadCatalogue(result.target.client === undefined ? 'gateway' : 'client');
  return excuse(result, file, knownFailuresAt(file, catalogue), needed);
}

/** A run that was interrupted is not made green by what is allowed: nobody chose what it left out. */
export function exitCodeOf(
  result: RunResult,
  { allowPartial = false }: Pick<Excuses, 'allowPartial'>,
): number {
  if (!result.interrupted) return exitCode(verdictThatCounts(result), { allowPartial });
  return result.verdict === 'partial' ? exitCodes.undecided : exitCode(result.verdict);
}
