import { randomInt } from 'node:crypto';
import { deliverReports, printReport, stopped, type Terminal } from '../../terminal/index.ts';
import { modified, remarked } from '../feature.ts';
import type { RunCommandOptions } from '../options/run-table.ts';
import { fileName, filesOf, usesPlaceholder } from '../options/target-placeholder.ts';
import { unseenIn } from '../options/unseen-in.ts';
import { assertUsable, excused, exitCodeOf } from './excused.ts';
import { announced, judge, requestOf } from './judge.ts';
import { moreForTheFile, moreWithAFile } from './next-steps.ts';
import type { Judge } from './planned-run.ts';
import { assertThere, type Ready, withTarget } from './with-target.ts';

/** Runs `touchstone run` with one target. @returns the exit code */
export async function judgeOne(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const named = usesPlaceholder(options);
  if (!named) assertUsable(filesOf(options, ''));
  const source = { ...options, target: options.target?.[0] };
  const judged = async ({ target, ...ready }: Ready): Promise<number> => {
    const files = filesOf(options, fileName(target.name));
    if (named) assertUsable(files);
    await assertThere({ target, ...ready }, source);
    if (ready.signal.aborted) return stopped(terminal);
    const planned = await reported(modified(judge))(
      target,
      requestOf(options, files, randomInt(2 ** 31)),
    );
    return exitCodeOf(await planned.begin({ ...ready, terminal }), options);
  };
  return withTarget(source, options.color, terminal, judged, unseenIn(options));
}

/** Adds reports to a judge: printed ones and files. */
const reported =
  (judge: Judge): Judge =>
  async (target, request) => {
    const { options, files } = request;
    const planned = await judge(target, request);
    const { recording } = planned;
    return {
      ...planned,
      async begin(sending) {
        const { terminal, progress } = sending;
        const { quiet = false } = options;
        for (const line of quiet ? [] : announced(planned)) progress.say(line);
        try {
          const judged = await planned.begin(sending).finally(() => progress.end());
          const known = await remarked(excused(judged, { ...options, ...files }));
          const source = { ...options, target: options.target?.[0] };
          const invocation = options.again?.(source.target, files.json);
          const result = invocation === undefined ? known : { ...known, invocation };
          // Printed before any file is written, so that a failed write does not lose the verdict.
          printReport(result, terminal, options);
          if (!quiet) {
            terminal.stdout.write(
              moreWithAFile(result, source, terminal) + moreForTheFile(result, source, terminal),
            );
          }
          const shown = async () => ({ views: await recording.views(result) });
          const delivery = { ...options, unrecorded: recording.problem };
          const written = { ...files, record: recording.name };
          await deliverReports(result, written, shown, terminal, delivery);
          return result;
        } finally {
          recording.release();
        }
      },
    };
  };
