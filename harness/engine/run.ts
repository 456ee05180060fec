import { setMaxListeners } from 'node:events';
import { loadCatalogue } from '../core/catalogue.ts';
import { sides } from '../core/requirement.ts';
import type { RunResult } from '../core/result.ts';
import { type CheckVerdict, isTransient } from '../core/verdict.ts';
import type { Target } from '../target/target.ts';
import { OutOfTime } from '../wire/stopping.ts';
import { assemble, suiteVersion } from './assemble.ts';
import { runIdentity } from './challenge.ts';
import { LiveRun } from './live-run.ts';
import { besideLoad, type Load } from './load/load.ts';
import { besideOthers } from './load/load-report.ts';
import type { Settle } from './once-more.ts';
import { addUp, deadlineMs, type Plan, planCheck } from './plan.ts';
import { type Progress, ProgressCount } from './progress.ts';
import { Recorder } from './recordings/recorder.ts';
import { beginRecording } from './recordings/recording.ts';
import { type Check, scenariosAt, scenariosCalled } from './registry.ts';
import { checksWith, type Selection, selectedIds } from './selection.ts';
import { wholeRunOf } from './sent.ts';
import type { Sequence, TargetRun } from './session.ts';
import { Traffic } from './traffic.ts';
import { type VerdictsOptions, verdictsOf } from './verdicts.ts';

export interface RunOptions {
  readonly target: Target;
  /** All chance in the run derives from it; of a run for a challenge, from that. */
  readonly seed: number;
  /** Of a verifier: the seed, the id of the run and those of its requests follow from it. */
  readonly challenge?: string | undefined;
  /** Id prefixes; empty: everything. @see Catalogue.select */
  readonly filters?: readonly string[];
  /** Of what the filters select, only this. */
  readonly only?: Selection | undefined;
  /** Default: all scenarios start together, and the longest chain goes first. */
  readonly sequence?: Sequence;
  /** What is asked for once more at the end. Default: what the gateway put off. */
  readonly settle?: Settle | undefined;
  /** So many generations at most, what is asked for once more included. */
  readonly generations?: number | undefined;
  /** No generation is asked for that a plan of these checks does not name: nothing is asked for once more at a price. */
  readonly onlyPlanned?: boolean | undefined;
  /**
   * Milliseconds that the run may take: then nothing further is sent, and what was captured is judged. Default: more
   * than it takes at any gateway that can be used (`deadlineMs` in `plan.ts`).
   */
  readonly deadlineMs?: number | undefined;
  /** Ordinary generations of several users are kept in flight meanwhile: they cost what they cost besides. */
  readonly load?: Load | undefined;
  /** A broken SHOULD fails the run too. */
  readonly strict?: boolean;
  /** Aborting ends the run cleanly: nothing further is sent, what was captured is judged. */
  readonly signal?: AbortSignal | undefined;
  /** File that gets a line of JSON for each exchange, as it ends. */
  readonly recording?: string | undefined;
  /** Is told when the recording is not whole, and why: the verdicts do not depend on it. */
  readonly onUnrecorded?: ((why: string) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Judges a gateway: runs every selected check against it and gives the result. Sends and judges in the
 * thread that calls it.
 *
 * @throws {UnknownRequirement} when a filter matches nothing
 * @throws {Error} when Touchstone itself cannot run its checks
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const started = Date.now();
  const startedAt = new Date(started).toISOString();
  const { target, filters = [], only, strict = false, sequence = {}, recording } = options;
  const { challenge, load } = options;
  const { seed, runId } = runIdentity(options.seed, challenge, startedAt);
  const catalogue = loadCatalogue();
  const selected = selectedIds(catalogue, options);
  const checks = await checksWith(selected, only);
  const header = {
    suiteVersion,
    catalogue: catalogue.digest,
    startedAt,
    seed,
    runId,
    ...(challenge === undefined ? {} : { challenge }),
    strict,
    filters,
    ...(only === undefined ? {} : { only }),
    ...(load === undefined ? {} : { load }),
    target,
  };
  const recorder = recording === undefined ? new Recorder(null) : beginRecording(recording, header);
  const traffic = new Traffic();
  const { stop, end } = ownSignal(
    options.signal,
    options.deadlineMs ??
      deadlineMs(addUp(checks.map((check) => planCheck(check, target))), {
        ...target,
        limits: besideLoad(target.limits, load),
      }),
  );
  const live = new LiveRun({
    target,
    seed,
    runId,
    sequence,
    ...(options.settle === undefined ? {} : { settle: options.settle }),
    generations: options.generations,
    onlyPlanned: options.onlyPlanned,
    load,
    stop,
    traffic,
    recorder,
  });
  const { onProgress } = options;
  const verdicts = await judge(live, checks, { traffic, only, onProgress }).finally(() => {
    end();
    recorder.close();
  });
  if (recorder.problem !== null) options.onUnrecorded?.(recorder.problem);
  const isOutOfTime = stop.reason instanceof OutOfTime;
  const { exchanges } = await wholeRunOf(live);
  return assemble({
    catalogue,
    target,
    seed,
    runId,
    challenge,
    selected,
    verdicts: isOutOfTime
      ? new Map([...verdicts].map(([id, verdict]) => [id, leftOpen(verdict)]))
      : verdicts,
    checks,
    load,
    exchanges,
    traffic: traffic.report(),
    provenance: recorder.provenance.provenance(startedAt),
    lags: live.lags,
    filters,
    ...(only === undefined ? {} : { only }),
    strict,
    interrupted: options.signal?.aborted ?? false,
    startedAt,
    durationMs: Date.now() - started,
  });
}

/** Judges what a run sends, or has sent, and tells how far it is. */
export async function judge(
  run: TargetRun,
  checks: readonly Check[],
  { traffic, only, onProgress }: Pick<RunOptions, 'only' | 'onProgress'> & { traffic: Traffic },
): Promise<ReadonlyMap<string, CheckVerdict>> {
  const besides = scenariosCalled(only?.besides ?? []);
  run.prioritise([...checks.flatMap((check) => scenariosAt(check, run.target)), ...besides]);
  const onSettled: VerdictsOptions['onSettled'] = (settled) => traffic.settled(settled);
  const { load } = run;
  await load?.begun;
  const told = (verdicts: ReadonlyMap<string, CheckVerdict>) =>
    load === undefined
      ? verdicts
      : new Map([...verdicts].map(([id, verdict]) => [id, besideOthers(verdict, load)]));
  if (onProgress === undefined) return told(await verdictsOf(run, checks, { besides, onSettled }));
  const count = new ProgressCount(checks, run, traffic, onProgress);
  run.onMoved(() => count.moved());
  const onVerdict = (check: Check, verdict: CheckVerdict): void => count.judged(check, verdict);
  try {
    return told(await verdictsOf(run, checks, { besides, onVerdict, onSettled }));
  } finally {
    count.end();
  }
}

/** A signal of a run's own: it aborts with that of the caller, for as long as the run lasts. */
export interface OwnSignal {
  readonly stop: AbortSignal;
  /** To be called when the run has ended. */
  readonly end: () => void;
}

/**
 * A signal that every exchange under way may listen to; Node takes more than ten for a leak. A signal of the
 * caller may outlive many runs, and one made of it by `AbortSignal.any` would keep all of them in memory.
 *
 * @param deadlineMs when it aborts by itself, early enough to judge what came
 */
export function ownSignal(signal: AbortSignal | undefined, deadlineMs?: number): OwnSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal, ...(signal === undefined ? [] : [signal]));
  const abort = (): void => own.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const timer = deadlineMs === undefined ? undefined : stopBefore(deadlineMs, own);
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { stop: own.signal, end };
}

/**
 * What a run that was out of time left open for want of something else: it was not asked for any more, or what it
 * builds on was not. What a failed check explains has nothing to do with that.
 */
function leftOpen(verdict: CheckVerdict): CheckVerdict {
  if (verdict.state !== 'inconclusive' || isTransient(verdict.cause)) return verdict;
  if (verdict.behind !== undefined) return verdict;
  return { ...verdict, cause: 'out-of-time', reason: `the deadline came first: ${verdict.reason}` };
}

function stopBefore(deadlineMs: number, controller: AbortController): NodeJS.Timeout {
  // What is left to end what is under way, and to judge and report what came.
  const reserved = Math.min(deadlineMs / 2, 3_000 + deadlineMs / 10, 15_000);
  const stop = (): void => controller.abort(new OutOfTime(reserved / 2));
  return setTimeout(stop, Math.max(0, deadlineMs - reserved)).unref();
}

/**
 * What a run would send to a target, at most. Nothing is sent.
 *
 * @param filters id prefixes; empty: everything
 */
export async function plan(target: Target, filters: readonly string[] = []): Promise<Plan> {
  const side = target.client === undefined ? 'gateway' : 'client';
  const selected = selectedIds(loadCatalogue(side), { filters, target });
  const checks = await checksWith(selected, {}, side);
  return addUp(checks.map((check) => planCheck(check, target)));
}

/** The ids that a check is bound to, of both sides. */
export async function boundChecks(): Promise<Set<string>> {
  const all = await Promise.all(sides.map((side) => checksWith(null, {}, side)));
  return new Set(all.flat().map(({ id }) => id));
}
