import type { Progress } from '../../engine/index.ts';
import { deliverReports, printReport, stopped, type Terminal } from '../../terminal/index.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import {
  fileName,
  filesOf,
  type RunFiles,
  usesPlaceholder,
} from '../options/target-placeholder.ts';
import { unseenIn } from '../options/unseen-in.ts';
import { announced } from './announced.ts';
import {
  assertUsable,
  chosen,
  excused,
  exitCodeOf,
  judgeTarget,
  recordedAs,
  recordingFor,
} from './judge-target.ts';
import { moreForTheFile, moreWithAFile } from './next-steps.ts';
import { assertThere, type Ready, withTarget } from './with-target.ts';

/** `touchstone run` with one target. Gives the exit code. */
export async function judgeOne(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const named = usesPlaceholder(options.files);
  if (!named) assertUsable(options.files);
  const judged = async (ready: Ready): Promise<number> => {
    const files = filesOf(options.files, fileName(ready.target.name));
    if (named) assertUsable(files);
    await assertThere(ready, options.source);
    if (ready.signal.aborted) return stopped(terminal);
    return judgeAndReport(ready, files, options, terminal);
  };
  return withTarget(options.source, options.print.colour, terminal, judged, unseenIn(options));
}

async function judgeAndReport(
  { target, signal, progress }: Ready,
  files: RunFiles,
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { print, source } = options;
  const selection = await chosen(target, files, options);
  for (const line of print.quiet ? [] : await announced(target, selection, options)) {
    progress.say(line);
  }
  const recording = recordingFor(files, options);
  try {
    const onProgress = print.quiet ? undefined : (seen: Progress) => progress.update(seen);
    const judging = { ...selection, target, recording, signal, onProgress };
    const judged = await judgeTarget(judging, options).finally(() => progress.end());
    const known = excused(judged, { ...options, ...files });
    const invocation = options.again?.(source.target, files.json);
    const result = invocation === undefined ? known : { ...known, invocation };
    // Printed before any file is written, so that a failed write does not lose the verdict.
    printReport(result, terminal, print);
    if (!print.quiet) {
      terminal.stdout.write(
        moreWithAFile(result, source, terminal) + moreForTheFile(result, source, terminal),
      );
    }
    const shown = async () => ({ views: await recording.views(result) });
    const delivery = { ...print, unrecorded: recording.problem };
    const { record } = recordedAs(files, options);
    await deliverReports(result, { ...files, record }, shown, terminal, delivery);
    return exitCodeOf(result, options);
  } finally {
    recording.release();
  }
}
