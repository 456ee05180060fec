import type { Target } from '../target/target.ts';
import { askAllRegions, chooseTarget, isForeign } from './choose-target.ts';
import { exchangeViews } from './exchange-views.ts';
import { failureOf } from './failure.ts';
import { interrupted, interruptible } from './interruption.ts';
import { assertUsable, chosen, excused, exitCodeOf, judgeTarget } from './judge-target.ts';
import { printReport } from './print-report.ts';
import { type ProgressDisplay, showProgress } from './progress.ts';
import { recordingFile } from './recording-file.ts';
import { writeReports } from './reports.ts';
import type { RunCommandOptions } from './run-options.ts';
import { fileName, usesPlaceholder, withTargetName } from './target-placeholder.ts';
import type { Terminal } from './terminal.ts';

/** `touchstone run` with one target. Gives the exit code. */
export async function judgeOne(
  ids: readonly string[],
  given: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const named = usesPlaceholder(given);
  if (!named) assertUsable(given);
  const { target: [file] = [], ...rest } = given;
  const source = file === undefined ? rest : { ...rest, target: file };
  const progress = showProgress(terminal.stderr, {
    environment: terminal.environment,
    colour: given.color,
  });
  const interruption = interruptible(terminal, (line) => progress.say(line));
  const { signal } = interruption;
  try {
    const { target, close } = await chooseTarget(source, terminal, signal);
    try {
      const options = withTargetName(given, fileName(target.name));
      if (named) assertUsable(options);
      if (isForeign(source)) {
        await askAllRegions(target, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }
      if (signal.aborted) return stopped(terminal);
      return await judgeAndReport(target, ids, options, terminal, signal, progress);
    } catch (error) {
      // Only here are the keys known that an unexpected error might hold.
      const failure = failureOf(error, { ...target.keys });
      terminal.stderr.write(`${failure.message}\n`);
      return failure.exitCode;
    } finally {
      await close();
    }
  } catch (error) {
    // Starting the target was broken off.
    if (!signal.aborted) throw error;
    return stopped(terminal);
  } finally {
    interruption.release();
  }
}

async function judgeAndReport(
  target: Target,
  filters: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
  signal: AbortSignal,
  progress: ProgressDisplay,
): Promise<number> {
  const { quiet = false, github = false, allowPartial = false, knownFailures } = options;
  const selection = await chosen(target, filters, options);
  const recording = recordingFile(options.record, options.html !== undefined);
  try {
    const judged = await judgeTarget(
      {
        ...selection,
        target,
        filters,
        recording,
        signal,
        ...(quiet ? {} : { onProgress: (seen) => progress.update(seen) }),
      },
      options,
    ).finally(() => progress.end());
    const result = excused(judged, knownFailures);
    // What can still go wrong with a file must not take the verdict with it.
    printReport(result, terminal, { colour: options.color, quiet, github });
    await writeReports(result, options, async () => ({
      views: await exchangeViews(recording.path ?? '', result),
    }));
    return exitCodeOf(result, allowPartial);
  } finally {
    recording.release();
  }
}

/** Says that a run was broken off before it began; gives the exit code. */
export function stopped(terminal: Terminal): number {
  terminal.stderr.write('Stopped before anything was judged.\n');
  return interrupted;
}
