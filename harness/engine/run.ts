import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { loadCatalogue } from '../core/catalogue.ts';
import { sides } from '../core/requirement.ts';
import type { RunResult } from '../core/result.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import type { Target } from '../target/target.ts';
import { assemble, suiteVersion } from './assemble.ts';
import { LiveRun } from './live-run.ts';
import type { Settle } from './once-more.ts';
import { addUp, type Plan, planCheck } from './plan.ts';
import { type Progress, ProgressCount } from './progress.ts';
import { Recorder } from './recordings/recorder.ts';
import { beginRecording } from './recordings/recording.ts';
import { type Check, scenariosAt, scenariosCalled } from './registry.ts';
import { checksWith, type Selection, selectedIds } from './selection.ts';
import type { Sequence, TargetRun } from './session.ts';
import { Traffic } from './traffic.ts';
import { type VerdictsOptions, verdictsOf } from './verdicts.ts';

export interface RunOptions {
  readonly target: Target;
  /** All chance in the run derives from it. */
  readonly seed: number;
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
  /** A broken SHOULD fails the run too. */
  readonly strict?: boolean;
  /** Aborting ends the run cleanly: nothing further is sent, what was captured is judged. */
  readonly signal?: AbortSignal | undefined;
  /** File that gets a line of JSON for each exchange, as it ends. */
  readonly recording?: string | undefined;
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
  const { target, seed, filters = [], only, strict = false, sequence = {}, recording } = options;
  const catalogue = loadCatalogue();
  const selected = selectedIds(catalogue, options);
  const checks = await checksWith(selected, only?.along);
  const runId = randomUUID();
  if (recording !== undefined) {
    beginRecording(recording, {
      suiteVersion,
      catalogue: catalogue.digest,
      startedAt,
      seed,
      runId,
      strict,
      filters,
      ...(only === undefined ? {} : { only }),
      target,
    });
  }
  const traffic = new Traffic();
  const recorder = new Recorder(recording ?? null);
  const { stop, end } = ownSignal(options.signal);
  const live = new LiveRun({
    target,
    seed,
    runId,
    sequence,
    ...(options.settle === undefined ? {} : { settle: options.settle }),
    generations: options.generations,
    stop,
    traffic,
    recorder,
  });
  const { onProgress } = options;
  const verdicts = await judge(live, checks, { traffic, only, onProgress }).finally(() => {
    end();
    return recorder.close();
  });
  return assemble({
    catalogue,
    target,
    seed,
    runId,
    selected,
    verdicts,
    checks,
    traffic: traffic.report(),
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
  if (onProgress === undefined) return verdictsOf(run, checks, { besides, onSettled });
  const count = new ProgressCount(checks, run, traffic, onProgress);
  run.onMoved(() => count.moved());
  const onVerdict = (check: Check, verdict: CheckVerdict): void => count.judged(check, verdict);
  try {
    return await verdictsOf(run, checks, { besides, onVerdict, onSettled });
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
 */
export function ownSignal(signal: AbortSignal | undefined): OwnSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal, ...(signal === undefined ? [] : [signal]));
  const abort = (): void => own.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  return { stop: own.signal, end: () => signal?.removeEventListener('abort', abort) };
}

/**
 * What a run would send to a target, at most. Nothing is sent.
 *
 * @param filters id prefixes; empty: everything
 */
export async function plan(target: Target, filters: readonly string[] = []): Promise<Plan> {
  const side = target.client === undefined ? 'gateway' : 'client';
  const checks = await checksWith(selectedIds(loadCatalogue(side), { filters }), [], side);
  return addUp(checks.map((check) => planCheck(check, target)));
}

/** The ids that a check is bound to, of both sides. */
export async function boundChecks(): Promise<Set<string>> {
  const all = await Promise.all(sides.map((side) => checksWith(null, [], side)));
  return new Set(all.flat().map(({ id }) => id));
}
