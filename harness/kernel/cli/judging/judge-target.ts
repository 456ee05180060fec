import { randomInt } from 'node:crypto';
import {
  allowing,
  excuse,
  exitCode,
  exitCodes,
  loadCatalogue,
  type RunResult,
  verdictThatCounts,
} from '../../core/index.ts';
import type { Load, Plan, Progress, RunOptions, Selection } from '../../engine/index.ts';
import type { Target } from '../../targets/index.ts';
import {
  assertWritable,
  ofRound,
  type RecordingFile,
  RoundRecordings,
  recordingFile,
  reportAt,
} from '../../terminal/index.ts';
import { budgetOf, isLimited, type Limits } from '../options/budget.ts';
import type { Excuses } from '../options/command-options.ts';
import { knownFailuresAt } from '../options/known-failures.ts';
import { loadOf, withoutLoad } from '../options/load.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { failedIn, type ShardNumber, shardOf } from '../options/selection.ts';
import type { RunFiles } from '../options/target-placeholder.ts';
import { judgeRounds } from './judge-rounds.ts';

/** The seed of a run, and the part of the checks. */
export interface Chosen {
  readonly seed: number;
  readonly only?: Selection;
  /** Description of the selected part, if the reader has not named it. */
  readonly said?: string;
  /** Load that is kept in flight during each run. */
  readonly load?: Load;
}

/** Inputs of a run of one target, in addition to its options. */
interface Judging extends Chosen {
  readonly target: Target;
  readonly recording: RecordingFile;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Function that judges the target. Default: in this thread. */
  readonly judge?: (options: RunOptions) => Promise<RunResult>;
}

/**
 * Checks that every file named by an option can be used, before a run that costs money.
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
  { filters, seed, shard, limits, repeat, load }: RunCommandOptions,
  chance = randomInt(2 ** 31),
): Promise<Chosen> {
  const earlier = rerunFailed === undefined ? undefined : reportAt(rerunFailed);
  const failed = earlier === undefined ? undefined : failedIn(earlier, rerunFailed ?? '');
  const part = shard === undefined ? failed : await shardOf(target, filters, shard, failed);
  const budget = isLimited(limits)
    ? await budgetOf(target, filters, shareOf(withoutLoad(limits, load), shard, repeat), part)
    : null;
  const only = budget === null ? part : budget.only;
  // The parts of one run share all chance, or they could not be joined.
  const common = seed ?? earlier?.seed ?? (shard === undefined ? chance : 1);
  return {
    seed: common,
    ...(only === undefined ? {} : { only }),
    ...(budget === null ? {} : { said: budget.said }),
    ...(load === null
      ? {}
      : { load: await loadOf(load, await planOf(target, filters, only), target, repeat ?? 1) }),
  };
}

/** Plans one run, or one round. */
export async function planOf(
  target: Target,
  filters: readonly string[],
  only: Selection | undefined,
): Promise<Plan> {
  const { plan } = await import('../../engine/plan.ts');
  const { addUp } = await import('../../engine/plan.ts');
  const whole = await plan(target, filters);
  return only === undefined ? whole : addUp(whole.checks.filter(({ id }) => only.ids.includes(id)));
}

/** The parts of a run together cost no more than the whole of it may, and neither do its rounds. */
export function shareOf(
  limits: Limits,
  shard: ShardNumber | undefined,
  rounds: RunCommandOptions['repeat'],
): Limits {
  const { generations, tokens } = limits;
  const { index, of } = shard ?? { index: 1, of: 1 };
  const part = (all: number | undefined): number | undefined =>
    all === undefined
      ? undefined
      : Math.floor((Math.floor(all / of) + (index <= all % of ? 1 : 0)) / (rounds ?? 1));
  return { ...limits, generations: part(generations), tokens: part(tokens) };
}

/** The file that a run is recorded to, or those of its rounds. */
export function recordingFor(
  { record, html }: RunFiles,
  { repeat }: Pick<RunCommandOptions, 'repeat'>,
): RecordingFile {
  const isShown = html !== undefined;
  return repeat === null ? recordingFile(record, isShown) : new RoundRecordings(record, isShown);
}

/** Name of the recording for messages; that of rounds has a `*` for the number of the round. */
export function recordedAs(
  { record }: RunFiles,
  { repeat }: Pick<RunCommandOptions, 'repeat'>,
): Pick<RunFiles, 'record'> {
  return { record: record === undefined || repeat === null ? record : ofRound(record, '*') };
}

/** Judges one target, as often as it is asked for. Its known failures are not taken out yet. */
export async function judgeTarget(
  judging: Judging,
  options: RunCommandOptions,
): Promise<RunResult> {
  const { recording } = judging;
  if (!(recording instanceof RoundRecordings) || options.repeat === null) {
    return judgeOnce(judging, options);
  }
  return judgeRounds(options.repeat, judging.seed, {
    judge: (seed, number) => {
      const onProgress = (progress: Progress): void =>
        judging.onProgress?.({ ...progress, round: { number, of: options.repeat ?? number } });
      return judgeOnce(
        { ...judging, seed, recording: recording.round(number), onProgress },
        options,
      );
    },
    onJudged: (round, taken) => recording.keep(round, taken),
    isOver: () =>
      judging.signal.aborted || (options.deadline !== undefined && timeLeft(options.deadline) <= 0),
  });
}

async function judgeOnce(
  { target, seed, only, load, recording, signal, onProgress, judge }: Judging,
  options: RunCommandOptions,
): Promise<RunResult> {
  const { filters, strict, sequence, settle, shard, limits, repeat } = options;
  const { deadline, watch } = options;
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
    generations: shareOf(withoutLoad(limits, options.load), shard, repeat).generations,
    load,
    onlyPlanned: limits.tokens !== undefined || limits.smoke,
    // Each run of a watch has all of it.
    deadlineMs: deadline && (watch === null ? timeLeft(deadline) : deadline.ms),
    signal,
    recording: recording.path,
    onUnrecorded: recording.failed,
    onProgress,
  });
  return shard === undefined ? result : { ...result, shard };
}

/** Milliseconds left of the time of the command. */
function timeLeft({ since, ms }: NonNullable<RunCommandOptions['deadline']>): number {
  return Math.max(0, ms - (performance.now() - since));
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
