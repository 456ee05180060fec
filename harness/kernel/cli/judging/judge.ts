import { addUp, type Plan, type Progress, plan, type RunOptions, run } from '../../engine/index.ts';
import type { Selection } from '../../recordings/index.ts';
import type { Target } from '../../targets/index.ts';
import { recordingFile, reportAt } from '../../terminal/index.ts';
import { budgetOf, isLimited } from '../options/budget.ts';
import type { RunCommandOptions } from '../options/run-table.ts';
import { failedIn } from '../options/selection.ts';
import type { RunFiles } from '../options/target-placeholder.ts';
import type { JudgeRequest, PlannedRun } from './planned-run.ts';

/** @param chance seed if neither an option nor a report gives one */
export function requestOf(
  options: RunCommandOptions,
  files: RunFiles,
  chance: number,
): JudgeRequest {
  const { rerunFailed } = files;
  const earlier = rerunFailed === undefined ? undefined : reportAt(rerunFailed);
  return {
    options,
    files,
    since: options.since,
    seed: options.seed ?? earlier?.seed,
    chance,
    only: earlier && failedIn(earlier, rerunFailed ?? ''),
    generations: options.generations,
    shareOf: (whole) => whole,
  };
}

/** Judges a target once. The result still includes known failures. */
export async function judge(target: Target, request: JudgeRequest): Promise<PlannedRun> {
  const { options, files, since, shareOf, isShown = false } = request;
  const { ids, strict, shuffle, serial, smoke, deadline, quiet } = options;
  const generations = request.generations && shareOf(request.generations);
  const limits = { generations, smoke };
  const budget = isLimited(limits) ? await budgetOf(target, ids, limits, request.only) : null;
  const only = budget === null ? request.only : budget.only;
  const seed = request.seed ?? request.chance;
  const recorded = recordingFile(files.record, isShown || files.html !== undefined);
  return {
    said: budget === null ? [] : [budget.said],
    costs: [],
    times: 1,
    seed,
    recording: recorded,
    plan: async () => budget?.plan ?? planOf(target, ids, only),
    begin: ({ signal, progress, load, recording = recorded, ...start }) =>
      (start.run ?? run)({
        target,
        seed: start.seed ?? seed,
        filters: ids,
        only,
        strict,
        sequence: { shuffle, serial },
        settle: settleOf(options),
        generations,
        load,
        onlyPlanned: smoke === true,
        deadlineMs: deadline && timeLeft(deadline, since),
        signal,
        recording: recording.path,
        onUnrecorded: recording.failed,
        onProgress: quiet === true ? undefined : (seen: Progress) => progress.update(seen),
      }),
  };
}

async function planOf(
  target: Target,
  filters: readonly string[],
  only: Selection | undefined,
): Promise<Plan> {
  const whole = await plan(target, filters);
  return only === undefined ? whole : addUp(whole.checks.filter(({ id }) => only.ids.includes(id)));
}

/** Returns the milliseconds left until the deadline of the command. */
export function timeLeft(deadline: number, since: number): number {
  return Math.max(0, deadline - (performance.now() - since));
}

/** Returns what is retried at the end: by default what the gateway put off. */
export function settleOf({ settle }: Pick<RunCommandOptions, 'settle'>): RunOptions['settle'] {
  if (settle === undefined) return 'put-off';
  return settle ? 'transient' : 'none';
}

/** Returns the budget and the added costs in lines for the reader, before anything is sent. */
export function announced({ said, costs }: PlannedRun): readonly string[] {
  return [
    ...said,
    ...costs.map(
      ({ label, text }) => `${label.slice(0, 1).toUpperCase()}${label.slice(1)}: ${text}`,
    ),
  ];
}
