import { randomInt } from 'node:crypto';
import PQueue from 'p-queue';
import { exitCode, exitCodes, messageOf, type RunResult, worstExitCode } from '../../core/index.ts';
import { type Progress, RunWorkers } from '../../engine/index.ts';
import { askAllRegions } from '../../probing/index.ts';
import { secretsOf } from '../../protocols/index.ts';
import { writeText } from '../../redaction/index.ts';
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
  showProgress,
  stopped,
  type Terminal,
  tellOf,
  UsageError,
  type WrittenFiles,
  writeReports,
} from '../../terminal/index.ts';
import { modified, remarked } from '../feature.ts';
import { loadTargets, type NamedTarget } from '../options/load-targets.ts';
import type { RunCommandOptions } from '../options/run-table.ts';
import { NothingToRepeat } from '../options/selection.ts';
import {
  assertFileForEach,
  filesOf,
  placeholder,
  type RunFiles,
} from '../options/target-placeholder.ts';
import { assertUsable, excused, exitCodeOf } from './excused.ts';
import { announced, judge, requestOf } from './judge.ts';
import { moreForTheFile } from './next-steps.ts';
import type { PlannedRun, RunStart } from './planned-run.ts';
import { notesOn } from './target-notes.ts';

/** One of several targets, ready to be judged: its files have been checked. */
interface Ready extends NamedTarget {
  /** Files of this target. */
  readonly files: RunFiles;
  /** Its run, or the reason why it is not judged. */
  readonly planned: PlannedRun | string;
}

/** Outcome of a target, and its exit code. */
type Settled = TargetOutcome & { readonly exitCode: number };

/** Judges several targets, each in a separate thread. @returns the exit code of the worst */
export async function judgeSeveral(
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
  const { target: targets = [], quiet = false, targetsAtOnce = 4 } = options;
  const workers = new RunWorkers();
  const ready: Ready[] = [];
  try {
    const chance = randomInt(2 ** 31);
    for (const one of await loadTargets(targets, options, terminal, signal)) {
      const next = await prepared(one, options, chance);
      ready.push(next);
      const { planned } = next;
      for (const line of quiet || typeof planned === 'string' ? [] : announced(planned)) {
        progress.say(`${one.name}: ${line}`);
      }
      for (const note of notesOn(one.target)) progress.say(`${one.name}: ${note}`);
    }
    const leftOut = ready.flatMap(({ planned }) => (typeof planned === 'string' ? planned : []));
    if (leftOut.length === ready.length) throw new UsageError(leftOut[0] ?? '');
    const seen = new ProgressOfSeveral(ready.map(({ name }) => name));
    const queue = new PQueue({ concurrency: targetsAtOnce });
    let done = 0;
    const settled = await queue
      .addAll(
        ready.map((one) => async () => {
          const update = (now: Progress): void => progress.update(seen.update(one.name, now));
          const sending = { terminal, signal, progress: { ...progress, update } };
          const outcome = await settle(one, options, workers, sending);
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
    printTargets(outcomes, terminal, options);
    for (const [index, { result }] of quiet ? [] : outcomes.entries()) {
      if (result === null) continue;
      terminal.stdout.write(moreForTheFile(result, { target: targets[index] }, terminal));
    }
    const { written, problems } = await writeAll(outcomes, ready, options);
    await tellOf(written, terminal, { ...options, quiet });
    assertWritten(problems);
    return worstExitCode(outcomes.map(({ exitCode }) => exitCode));
  } finally {
    await workers.end();
    interruption.release();
    for (const { planned } of ready) if (typeof planned !== 'string') planned.recording.release();
  }
}

/** @throws {UsageError} if a file of a target cannot be used */
async function prepared(
  one: NamedTarget,
  options: RunCommandOptions,
  chance: number,
): Promise<Ready> {
  const { markdown } = options;
  const own = filesOf(options, one.inFiles);
  // One Markdown document holds all targets, unless its name has the placeholder.
  const files = markdown?.includes(placeholder) === true ? own : { ...own, markdown: undefined };
  try {
    assertUsable(own);
    const request = requestOf(options, files, chance);
    return { ...one, files, planned: await modified(judge)(one.target, request) };
  } catch (error) {
    if (!(error instanceof NothingToRepeat)) throw error;
    return { ...one, files, planned: error.message };
  }
}

async function settle(
  { name, target, planned }: Ready,
  options: RunCommandOptions,
  workers: RunWorkers,
  sending: RunStart,
): Promise<Settled> {
  const { signal } = sending;
  const { allowPartial = false } = options;
  const unjudged = (word: Unjudged, why: string, exitCode: number): Settled => ({
    name,
    result: null,
    word,
    why,
    exitCode,
  });
  const interrupted = (): Settled =>
    unjudged('NOT JUDGED', 'The run was interrupted before its turn came.', exitCodes.undecided);
  if (typeof planned === 'string') {
    return unjudged('SKIPPED', planned, exitCode('partial', { allowPartial }));
  }
  if (signal.aborted) return interrupted();
  try {
    await askAllRegions(target, signal);
    const judged = await planned.begin({ ...sending, run: (run) => workers.run(run) });
    const result = await remarked(judged);
    return { name, result, exitCode: exitCodeOf(result, options) };
  } catch (error) {
    if (signal.aborted) return interrupted();
    const failure = failureOf(error, secretsOf(target));
    const word = failure.exitCode === exitCodes.unreachable ? 'UNREACHABLE' : 'NOT JUDGED';
    return unjudged(word, failure.message, failure.exitCode);
  }
}

/**
 * Removes known failures from the verdicts. An entry of a shared list is stale only if all targets were judged, and
 * none needs it any more.
 */
function withoutKnownFailures(
  settled: readonly Settled[],
  ready: readonly Ready[],
  options: RunCommandOptions,
): Settled[] {
  const { knownFailures } = options;
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

/** Returns each result with the command line that repeats it for its target alone. */
function withInvocations(
  outcomes: readonly Settled[],
  ready: readonly Ready[],
  { again, target = [] }: RunCommandOptions,
): Settled[] {
  return outcomes.map((outcome, index) => {
    const invocation = again?.(target[index], ready[index]?.files.json);
    if (outcome.result === null || invocation === undefined) return outcome;
    return { ...outcome, result: { ...outcome.result, invocation } };
  });
}

/** Writes the files of all judged targets. An error of one does not prevent the others. */
async function writeAll(
  outcomes: readonly Settled[],
  ready: readonly Ready[],
  options: RunCommandOptions,
): Promise<{ readonly written: readonly WrittenFiles[]; readonly problems: readonly string[] }> {
  const { markdown } = options;
  const written: WrittenFiles[] = [];
  const problems: string[] = [];
  for (const [index, { result }] of outcomes.entries()) {
    const one = ready[index];
    if (result === null || one === undefined || typeof one.planned === 'string') continue;
    const { files } = one;
    const { recording } = one.planned;
    const own = await writeReports(result, files, async () => ({
      views: await recording.views(result),
    }));
    written.push({ ...own.written, record: recording.name });
    problems.push(...own.problems, ...(recording.problem === null ? [] : [recording.problem]));
  }
  if (markdown !== undefined && !markdown.includes(placeholder)) {
    try {
      writeText(markdown, renderMarkdownOfTargets(outcomes));
      written.push({ markdown });
    } catch (error) {
      problems.push(`--markdown ${markdown} was not written: ${messageOf(error)}`);
    }
  }
  return { written, problems };
}
