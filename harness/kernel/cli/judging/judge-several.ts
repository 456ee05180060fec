import { randomInt } from 'node:crypto';
import PQueue from 'p-queue';
import { exitCode, exitCodes, messageOf, type RunResult, worstExitCode } from '../../core/index.ts';
import { type Progress, type RunOptions, RunWorkers } from '../../engine/index.ts';
import { askAllRegions } from '../../probing/index.ts';
import { secretsOf } from '../../protocols/index.ts';
import {
  renderMarkdownOfTargets,
  type TargetOutcome,
  type Unjudged,
  wordOf,
} from '../../report/index.ts';
import {
  assertWritten,
  failureOf,
  interruptible,
  ProgressOfSeveral,
  printTargets,
  type RecordingFile,
  recordingFile,
  showProgress,
  stopped,
  type Terminal,
  tellOf,
  UsageError,
  type WrittenFiles,
  writeReports,
  writeWhole,
} from '../../terminal/index.ts';
import { loadTargets, type NamedTarget } from '../options/load-targets.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { NothingToRepeat } from '../options/selection.ts';
import {
  assertFileForEach,
  filesOf,
  placeholder,
  type RunFiles,
} from '../options/target-placeholder.ts';
import { announced } from './announced.ts';
import {
  assertUsable,
  type Chosen,
  chosen,
  excused,
  exitCodeOf,
  judgeTarget,
  recordedAs,
  recordingFor,
} from './judge-target.ts';
import { moreForTheFile } from './next-steps.ts';
import { notesOn } from './target-notes.ts';

/** One of several targets, ready to be judged: all that could be wrong with its files was looked at. */
interface Ready extends NamedTarget {
  /** Files of this target. */
  readonly files: RunFiles;
  readonly selection: Chosen;
  readonly recording: RecordingFile;
  /** Reason why it is not judged, or null if it is. */
  readonly leftOut: string | null;
}

/** Outcome of a target, and the exit code for it alone. */
type Settled = TargetOutcome & { readonly exitCode: number };

/**
 * `touchstone run` with several targets: a verdict for each, and the exit code of the worst. Each is
 * judged in a thread of its own, so that what one gateway answers keeps no other waiting.
 */
export async function judgeSeveral(
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  assertFileForEach(options.files);
  const progress = showProgress(terminal.stderr, {
    environment: terminal.environment,
    colour: options.print.colour,
  });
  const interruption = interruptible(terminal, (line) => progress.say(line));
  const { signal } = interruption;
  const { targets, source, print, targetsAtOnce } = options;
  const { quiet } = print;
  const workers = new RunWorkers();
  const ready: Ready[] = [];
  try {
    const chance = randomInt(2 ** 31);
    for (const one of await loadTargets(targets, source, terminal, signal)) {
      const next = await prepared(one, options, chance);
      ready.push(next);
      for (const line of quiet ? [] : await announced(one.target, next.selection, options)) {
        progress.say(`${one.name}: ${line}`);
      }
      for (const note of notesOn(one.target)) progress.say(`${one.name}: ${note}`);
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
          const outcome = await settle(one, options, workers, signal, (now) => {
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
    const outcomes = withInvocations(withoutKnownFailures(settled, ready, options), ready, options);
    printTargets(outcomes, terminal, print);
    for (const [index, { result }] of quiet ? [] : outcomes.entries()) {
      if (result === null) continue;
      terminal.stdout.write(moreForTheFile(result, { target: targets[index] }, terminal));
    }
    const { written, problems } = await writeAll(outcomes, ready, options);
    await tellOf(written, terminal, print);
    assertWritten(problems);
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
  options: RunCommandOptions,
  chance: number,
): Promise<Ready> {
  const { markdown } = options.files;
  const own = filesOf(options.files, one.inFiles);
  // One Markdown document holds all targets, unless each is to have its own.
  const files = markdown?.includes(placeholder) === true ? own : { ...own, markdown: undefined };
  try {
    assertUsable(own);
    const selection = await chosen(one.target, files, options, chance);
    const recording = recordingFor(files, options);
    return { ...one, files, selection, recording, leftOut: null };
  } catch (error) {
    if (!(error instanceof NothingToRepeat)) throw error;
    const recording = recordingFile(undefined, false);
    return { ...one, files, selection: { seed: 0 }, recording, leftOut: error.message };
  }
}

async function settle(
  { name, target, selection, recording, leftOut }: Ready,
  options: RunCommandOptions,
  workers: RunWorkers,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Settled> {
  const { allowPartial } = options;
  const unjudged = (word: Unjudged, why: string, exitCode: number): Settled => ({
    name,
    result: null,
    word,
    why,
    exitCode,
  });
  const interrupted = (): Settled =>
    unjudged('NOT JUDGED', 'The run was interrupted before its turn came.', exitCodes.undecided);
  if (leftOut !== null) return unjudged('SKIPPED', leftOut, exitCode('partial', { allowPartial }));
  if (signal.aborted) return interrupted();
  try {
    await askAllRegions(target, signal);
    const judge = (run: RunOptions) => workers.run(run);
    const judging = { ...selection, target, recording, signal, onProgress, judge };
    const result = await judgeTarget(judging, options);
    return { name, result, exitCode: exitCodeOf(result, options) };
  } catch (error) {
    if (signal.aborted) return interrupted();
    const failure = failureOf(error, secretsOf(target));
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
  options: RunCommandOptions,
): Settled[] {
  const { knownFailures } = options.files;
  const excusedBy = (
    result: RunResult,
    file: string | undefined,
    needed?: ReadonlySet<string>,
  ): RunResult => excused(result, { ...options, knownFailures: file }, needed);
  const alone = settled.map(({ result }, index) =>
    result === null ? null : excusedBy(result, ready[index]?.files.knownFailures),
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
    if (knownFailures?.includes(placeholder) === false) {
      const entries = alone.includes(null) ? result.knownFailures?.entries : undefined;
      result = excusedBy(outcome.result, knownFailures, new Set([...needed, ...(entries ?? [])]));
    }
    return { name: outcome.name, result, exitCode: exitCodeOf(result, options) };
  });
}

/** Each result with how it is typed again, for its target alone. */
function withInvocations(
  outcomes: readonly Settled[],
  ready: readonly Ready[],
  { again, targets }: RunCommandOptions,
): Settled[] {
  return outcomes.map((outcome, index) => {
    const invocation = again?.(targets[index], ready[index]?.files.json);
    if (outcome.result === null || invocation === undefined) return outcome;
    return { ...outcome, result: { ...outcome.result, invocation } };
  });
}

/** Writes what can be written; a target that was not judged has no files. */
async function writeAll(
  outcomes: readonly Settled[],
  ready: readonly Ready[],
  options: RunCommandOptions,
): Promise<{ readonly written: readonly WrittenFiles[]; readonly problems: readonly string[] }> {
  const { markdown } = options.files;
  const written: WrittenFiles[] = [];
  const problems: string[] = [];
  for (const [index, { result }] of outcomes.entries()) {
    const one = ready[index];
    if (result === null || one === undefined) continue;
    const { recording, files } = one;
    const own = await writeReports(result, files, async () => ({
      views: await recording.views(result),
    }));
    written.push({ ...own.written, ...recordedAs(files, options) });
    problems.push(...own.problems, ...(recording.problem === null ? [] : [recording.problem]));
  }
  if (markdown !== undefined && !markdown.includes(placeholder)) {
    try {
      writeWhole(markdown, renderMarkdownOfTargets(outcomes));
      written.push({ markdown });
    } catch (error) {
      problems.push(`--markdown ${markdown} was not written: ${messageOf(error)}`);
    }
  }
  return { written, problems };
}
