import { exchangeViews } from '../../terminal/exchange-views.ts';
import { stopped } from '../../terminal/interruption.ts';
import { printReport } from '../../terminal/print-report.ts';
import { recordingFile } from '../../terminal/recording-file.ts';
import { writeReports } from '../../terminal/reports.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { fileName, usesPlaceholder, withTargetName } from '../options/target-placeholder.ts';
import { assertUsable, chosen, excused, exitCodeOf, judgeTarget } from './judge-target.ts';
import { moreWithAFile } from './next-steps.ts';
import { assertThere, type Ready, withTarget } from './with-target.ts';

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
  return withTarget(source, given.color, terminal, async (ready) => {
    const options = withTargetName(given, fileName(ready.target.name));
    if (named) assertUsable(options);
    await assertThere(ready, source);
    if (ready.signal.aborted) return stopped(terminal);
    return judgeAndReport(ready, ids, options, terminal);
  });
}

async function judgeAndReport(
  { target, signal, progress }: Ready,
  filters: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
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
    const { target: _, ...source } = options;
    if (!quiet) terminal.stdout.write(moreWithAFile(result, source));
    await writeReports(result, options, async () => ({
      views: await exchangeViews(recording.path ?? '', result),
    }));
    return exitCodeOf(result, allowPartial);
  } finally {
    recording.release();
  }
}
