import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { exitCode, exitCodes, worstExitCode } from '../../core/verdict.ts';
import type { Progress } from '../../engine/progress.ts';
import type { RunOptions } from '../../engine/run.ts';
import { RunWorkers } from '../../engine/run-worker.ts';
import { renderMarkdownOfTargets } from '../../report/markdown-targets.ts';
import { type TargetOutcome, type Unjudged, wordOf } from '../../report/target-outcome.ts';
import { exchangeViews } from '../../terminal/exchange-views.ts';
import { failureOf, UsageError } from '../../terminal/failure.ts';
import { interruptible, stopped } from '../../terminal/interruption.ts';
import { printTargets } from '../../terminal/print-report.ts';
import { showProgress } from '../../terminal/progress.ts';
import { ProgressOfSeveral } from '../../terminal/progress-of-several.ts';
import { type RecordingFile, recordingFile } from '../../terminal/recording-file.ts';
import { writeReports } from '../../terminal/reports.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { askAllRegions } from '../options/choose-target.ts';
import { loadTargets, type NamedTarget } from '../options/load-targets.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { NothingToRepeat } from '../options/selection.ts';
import { assertFileForEach, placeholder, withTargetName } from '../options/target-placeholder.ts';
import {
  assertUsable,
  type Chosen,
  chosen,
  excused,
  exitCodeOf,
  judgeTarget,
} from './judge-target.ts';

/** One of several targets, ready to be judged: all that could be wrong with its files was looked at. */
interface Ready extends NamedTarget {
  /** With the names of its own files. */
  readonly options: RunCommandOptions;
  readonly selection: Chosen;
  readonly recording: RecordingFile;
  /** Why it need not be judged; null: it is. */
  readonly leftOut: string | null;
}

/** What became of a target, and the exit code that this alone stands for. */
type Settled = TargetOutcome & { readonly exitCode: number };

/**
 * `touchstone run` with several targets: a verdict for each, and the exit code of the worst. Each is
 * judged in a thread of its own, so that what one gateway answers keeps no other waiting.
 */
export async function judgeSeveral(
  filters: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  assertFileForEach(options);
  const progress = showProgress(terminal.stderr, {
    environment: terminal.environment,
    colour: options.color,
  });
  const interruption = interruptible(terminal, (line) => progress.say(line));
  const { signal } = interruption;
  const { quiet = false, github = false, targetsAtOnce = 4 } = options;
  const workers = new RunWorkers();
  const ready: Ready[] = [];
  try {
    const chance = randomInt(2 ** 31);
    for (const one of await loadTargets(options, terminal, signal)) {
      ready.push(await prepared(one, filters, options, chance));
    }
    const [first] = ready;
    if (ready.every(({ leftOut }) => leftOut !== null)) {
      throw new UsageError(first?.leftOut ?? '');
    }
    const seen = new ProgressOfSeveral(ready.map(({ name }) => name));
    const queue = new PQueue({ concurrency: targetsAtOnce });
    let done = 0;
    const settled = await queue
      .addAll(
        ready.map((one) => async () => {
          const outcome = await settle(one, filters, workers, signal, (now) => {
            if (!quiet) progress.update(seen.update(one.name, now));
          });
          done++;
          if (!quiet && !signal.aborted) {
            progress.say(`${one.name}: ${wordOf(outcome)} (${done} of ${ready.length} targets)`);
          }
          return outcome;
        }),
      )
      .finally(() => progress.end());
    if (signal.aborted && settled.every(({ result }) => result === null)) return stopped(terminal);
    const outcomes = withoutKnownFailures(settled, ready, options);
    printTargets(outcomes, terminal, { colour: options.color, quiet, github });
    await writeAll(outcomes, ready, options);
    return worstExitCode(outcomes.map(({ exitCode }) => exitCode));
  } finally {
    await workers.end();
    interruption.release();
    for (const { recording } of ready) recording.release();
  }
}

/** @throws {UsageError} when a file of a target cannot be used */
async function prepared(
  one: NamedTarget,
  filters: readonly string[],
  given: RunCommandOptions,
  chance: number,
): Promise<Ready> {
  // One Markdown document holds all targets, unless each is to have its own.
  const { markdown, ...own } = given;
  const each = markdown?.includes(placeholder) === true ? given : own;
  const options = withTargetName(each, one.inFiles);
  const unrecorded = {
    ...one,
    options,
    selection: { seed: 0 },
    recording: recordingFile(undefined, false),
  };
  try {
    assertUsable(markdown === undefined ? options : { markdown, ...options });
    const selection = await chosen(one.target, filters, options, chance);
    const recording = recordingFile(options.record, options.html !== undefined);
    return { ...one, options, selection, recording, leftOut: null };
  } catch (error) {
    if (!(error instanceof NothingToRepeat)) throw error;
    return { ...unrecorded, leftOut: error.message };
  }
}

async function settle(
  { name, target, options, selection, recording, leftOut }: Ready,
  filters: readonly string[],
  workers: RunWorkers,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Settled> {
  const { allowPartial = false } = options;
  const unjudged = (word: Unjudged, why: string, exitCode: number): Settled => ({
    name,
    result: null,
    word,
    why,
    exitCode,
  });
  const brokenOff = (): Settled =>
    unjudged('NOT JUDGED', 'The run was interrupted before its turn came.', exitCodes.undecided);
  if (leftOut !== null) return unjudged('SKIPPED', leftOut, exitCode('partial', { allowPartial }));
  if (signal.aborted) return brokenOff();
  try {
    await askAllRegions(target, signal);
    const judge = (run: RunOptions) => workers.run(run);
    const judging = { ...selection, target, filters, recording, signal, onProgress, judge };
    const result = await judgeTarget(judging, options);
    return { name, result, exitCode: exitCodeOf(result, allowPartial) };
  } catch (error) {
    if (signal.aborted) return brokenOff();
    const failure = failureOf(error, { ...target.keys });
    const word = failure.exitCode === exitCodes.unreachable ? 'UNREACHABLE' : 'NOT JUDGED';
    return unjudged(word, failure.message, failure.exitCode);
  }
}

/**
 * Takes known failures out of the verdicts. A list that all targets share is stale only where none of
 * them needs it any more, and where all of them were judged.
 */
function withoutKnownFailures(
  settled: readonly Settled[],
  ready: readonly Ready[],
  { knownFailures, allowPartial = false }: RunCommandOptions,
): Settled[] {
  if (knownFailures === undefined) return [...settled];
  const alone = settled.map(({ result }, index) =>
    result === null ? null : excused(result, ready[index]?.options.knownFailures),
  );
  const needed = new Set(
    alone.flatMap((result) => {
      const { entries = [], stale = [] } = result?.knownFailures ?? {};
      return entries.filter((entry) => !stale.includes(entry));
    }),
  );
  return settled.map((outcome, index) => {
    let result = alone[index] ?? null;
    if (outcome.result === null || result === null) return outcome;
    if (!knownFailures.includes(placeholder)) {
      const entries = alone.includes(null) ? result.knownFailures?.entries : undefined;
      result = excused(outcome.result, knownFailures, new Set([...needed, ...(entries ?? [])]));
    }
    return { name: outcome.name, result, exitCode: exitCodeOf(result, allowPartial) };
  });
}

async function writeAll(
  outcomes: readonly Settled[],
  ready: readonly Ready[],
  { markdown }: RunCommandOptions,
): Promise<void> {
  for (const [index, { result }] of outcomes.entries()) {
    const one = ready[index];
    if (result === null || one === undefined) continue;
    await writeReports(result, one.options, async () => ({
      views: await exchangeViews(one.recording.path ?? '', result),
    }));
  }
  if (markdown !== undefined && !markdown.includes(placeholder)) {
    writeFileSync(markdown, renderMarkdownOfTargets(outcomes));
  }
}
