import { type CheckVerdict, type RunResult, sideOf } from '../core/index.ts';
import { beginRecording, type Selection } from '../recordings/index.ts';
import { assemble } from './assemble.ts';
import { startCompanions } from './companions.ts';
import { afterDeadline, ownSignal } from './deadline.ts';
import { atDrawnHome } from './drawn-home.ts';
import { LiveRun, type LiveRunOptions } from './live-run.ts';
import { besideLoad } from './load/load.ts';
import { besideOthers } from './load/load-report.ts';
import { addUp, deadlineMs, planCheck } from './plan.ts';
import { type Progress, ProgressCount } from './progress.ts';
import { type Check, scenariosAt, scenariosCalled } from './registry.ts';
import { headOf, type RunHead, recordingHeader } from './run-head.ts';
import { wholeRunOf } from './sent.ts';
import type { TargetRun } from './session.ts';
import { Traffic } from './traffic.ts';
import { verdictsOf } from './verdicts.ts';

export interface RunOptions
  extends Pick<
    LiveRunOptions,
    'target' | 'seed' | 'sequence' | 'settle' | 'generations' | 'onlyPlanned' | 'load'
  > {
  /** Challenge of a verifier. The seed and the ids of the run and its requests derive from it. */
  readonly challenge?: string | undefined;
  /** Id prefixes; empty: everything. @see Catalogue.select */
  readonly filters?: readonly string[];
  /** Part of the filtered checks that the run is narrowed to. */
  readonly only?: Selection | undefined;
  /**
   * Maximum milliseconds of the run. Nothing further is sent then, and the captures so far are judged. Default:
   * more than the run takes at any usable gateway (`deadlineMs` in `plan.ts`).
   */
  readonly deadlineMs?: number | undefined;
  /** A broken SHOULD fails the run, too. */
  readonly strict?: boolean | undefined;
  /** Aborting ends the run cleanly: nothing further is sent, and the captures so far are judged. */
  readonly signal?: AbortSignal | undefined;
  /** File that gets each exchange as a line of JSON. */
  readonly recording?: string | undefined;
  /** Called with the reason if the recording is incomplete. Verdicts do not depend on it. */
  readonly onUnrecorded?: ((why: string) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Judges a gateway: runs every selected check against it and returns the result. Sends and judges in the calling
 * thread.
 *
 * @throws {UnknownRequirement} if a filter matches nothing
 * @throws {Error} if Touchstone itself cannot run its checks
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const started = Date.now();
  const startedAt = new Date(started).toISOString();
  const { signal, onProgress } = options;
  const head = await headOf({ ...options, side: sideOf(options), startedAt });
  const { stop, end } = ownSignal(signal, options.deadlineMs ?? usualDeadlineMs(head, options));
  const own = { ...options, seed: head.seed, runId: head.runId, stop };
  const target = await atDrawnHome(own);
  const recorder = beginRecording(options.recording, recordingHeader(head, target));
  const traffic = new Traffic();
  const live = new LiveRun({ ...own, target, traffic, recorder });
  const judging = { traffic, only: options.only, onProgress };
  let verdicts: ReadonlyMap<string, CheckVerdict>;
  try {
    const companions = await startCompanions(live, live.companionMeans);
    verdicts = await judgeChecks(live, head.checks, judging).finally(() => companions.close());
  } finally {
    end();
    recorder.close();
  }
  if (recorder.problem !== null) options.onUnrecorded?.(recorder.problem);
  return assemble({
    ...head,
    target,
    verdicts: afterDeadline(verdicts, stop),
    exchanges: (await wholeRunOf(live)).exchanges,
    traffic: traffic.report(),
    provenance: recorder.provenance.provenance(startedAt),
    lags: live.lags,
    interrupted: signal?.aborted ?? false,
    durationMs: Date.now() - started,
  });
}

function usualDeadlineMs({ checks }: RunHead, { target, load }: RunOptions): number {
  const planned = addUp(checks.map((check) => planCheck(check, target)));
  return deadlineMs(planned, { ...target, limits: besideLoad(target.limits, load) });
}

export async function judgeChecks(
  run: TargetRun,
  checks: readonly Check[],
  { traffic, only, onProgress }: Pick<RunOptions, 'only' | 'onProgress'> & { traffic: Traffic },
): Promise<ReadonlyMap<string, CheckVerdict>> {
  const { load } = run;
  const besides = scenariosCalled(only?.besides ?? []);
  run.prioritise([...checks.flatMap((check) => scenariosAt(check, run.target)), ...besides]);
  await load?.begun;
  const count = onProgress && new ProgressCount(checks, run, traffic, onProgress);
  if (count !== undefined) run.onMoved(() => count.moved());
  const verdicts = await verdictsOf(run, checks, {
    besides,
    onVerdict: (check, verdict) => count?.judged(check, verdict),
    onSettled: (settled) => traffic.settled(settled),
  }).finally(() => count?.end());
  if (load === undefined) return verdicts;
  return new Map([...verdicts].map(([id, verdict]) => [id, besideOthers(verdict, load)]));
}
