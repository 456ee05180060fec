import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Vitest } from 'vitest/node';
import { type Catalogue, loadCatalogue } from '../core/catalogue.ts';
import type { RunResult, Traffic } from '../core/result.ts';
import type { Target } from '../target/target.ts';
import { assemble, suiteVersion } from './assemble.ts';
import type { CheckMeta } from './check.ts';
import type { ChannelMessage, Progress, RunOrder } from './order.ts';
import { addUp, type Plan } from './plan.ts';
import { beginRecording } from './recording.ts';
import type { Sequence } from './sequence.ts';
import { startVitest } from './start-vitest.ts';

export type { Progress } from './order.ts';

export interface RunOptions {
  readonly target: Target;
  /** All chance in the run derives from it. */
  readonly seed: number;
  /** Id prefixes; empty: everything. @see Catalogue.select */
  readonly filters?: readonly string[];
  /** Of what the filters select, only this. */
  readonly only?: Selection;
  /** Default: all scenarios start together, and the longest chain goes first. */
  readonly sequence?: Sequence;
  /** A broken SHOULD fails the run too. */
  readonly strict?: boolean;
  /** Aborting ends the run cleanly: nothing further is sent, what was captured is judged. */
  readonly signal?: AbortSignal;
  /** File that gets a line of JSON for each exchange, as it ends. */
  readonly recording?: string;
  readonly onProgress?: (progress: Progress) => void;
}

/** A part of the checks, chosen otherwise than by the beginning of an id. */
export interface Selection {
  /** Ids of checks. */
  readonly ids: readonly string[];
  /** Why the others are excluded, for reports. */
  readonly others: string;
  /** Those of the others that another part of the run judges, which was split. */
  readonly elsewhere?: readonly string[];
}

/**
 * Judges a gateway: runs every selected check against it and gives the result.
 *
 * @throws {UnknownRequirement} when a filter matches nothing
 * @throws {Error} when Touchstone itself cannot run its checks
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const started = Date.now();
  const catalogue = loadCatalogue();
  const filters = options.filters ?? [];
  const { only } = options;
  const order: RunOrder = {
    targets: [options.target],
    seed: options.seed,
    runId: randomUUID(),
    selected: selectedIds(catalogue, filters, only),
    recording: options.recording ?? null,
    ...(options.sequence === undefined ? {} : { sequence: options.sequence }),
  };
  const strict = options.strict ?? false;
  const startedAt = new Date(started).toISOString();
  if (options.recording !== undefined) {
    const { target, seed } = options;
    beginRecording(options.recording, {
      suiteVersion,
      catalogue: catalogue.digest,
      startedAt,
      seed,
      runId: order.runId,
      strict,
      filters,
      ...(only === undefined ? {} : { only }),
      target,
    });
  }
  const { metas, traffic } = await runChecks(order, options);
  return assemble({
    catalogue,
    order,
    metas,
    traffic,
    filters,
    ...(only === undefined ? {} : { only }),
    strict,
    interrupted: options.signal?.aborted ?? false,
    startedAt,
    durationMs: Date.now() - started,
  });
}

/** The ids of the checks to run; null: every one. @throws {UnknownRequirement} */
export function selectedIds(
  catalogue: Catalogue,
  filters: readonly string[],
  only?: Selection,
): readonly string[] | null {
  const ids = catalogue.select(filters).map(({ id }) => id);
  if (only === undefined) return filters.length === 0 ? null : ids;
  const wanted = new Set(only.ids);
  return ids.filter((id) => wanted.has(id));
}

export interface Ran {
  readonly metas: readonly CheckMeta[];
  readonly traffic: Traffic;
  /** Keys of recorded exchanges that no scenario asked for, when a recording was judged again. */
  readonly unasked: readonly string[];
}

/**
 * What a run would send to a target, at most. Collects the checks without running any: nothing is
 * sent.
 *
 * @param filters id prefixes; empty: everything
 */
export async function plan(target: Target, filters: readonly string[] = []): Promise<Plan> {
  const catalogue = loadCatalogue();
  const selected = filters.length === 0 ? null : catalogue.select(filters).map(({ id }) => id);
  const runId = randomUUID();
  const order = { targets: [target], seed: 0, runId, selected, recording: null, planning: true };
  const vitest = await startVitest(order);
  try {
    await vitest.collect();
    assertWhole(vitest);
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
    return addUp(
      tests.flatMap((test) => {
        const { id, scenarios: judgedOn, plan: scenarios } = test.meta().touchstone ?? {};
        if (id === undefined || judgedOn === undefined || scenarios === undefined) return [];
        return [{ id, level: catalogue.find(id).level, judgedOn, scenarios }];
      }),
    );
  } finally {
    await vitest.close();
  }
}

/** The ids that a check is bound to. */
export async function boundChecks(target: Target): Promise<Set<string>> {
  return new Set((await plan(target)).checks.map(({ id }) => id));
}

export interface RunChecksOptions extends Pick<RunOptions, 'signal' | 'onProgress'> {
  /** Path of the module that defines the checks. Default: one that imports all of the suites. */
  readonly checks?: string;
}

/** Runs the checks of an order, for one target or many, and gives what their tests carry. */
export async function runChecks(
  order: RunOrder,
  { signal, onProgress, checks }: RunChecksOptions = {},
): Promise<Ran> {
  const channel = new BroadcastChannel(order.runId);
  const stopped = new SharedArrayBuffer(1);
  const stop = (): void => {
    new Uint8Array(stopped).fill(1);
    channel.postMessage({ kind: 'stop' } satisfies ChannelMessage);
  };
  channel.onmessage = ({ data }: { data: ChannelMessage }) => {
    if (data.kind !== 'progress') return;
    onProgress?.(data.progress);
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  const vitest = await startVitest({ ...order, stopped }, checks);
  try {
    await vitest.start();
    return gather(vitest);
  } finally {
    signal?.removeEventListener('abort', stop);
    channel.close();
    await vitest.close();
  }
}

/** @throws {Error} when a check file could not be loaded */
export function assertWhole(vitest: Vitest): void {
  const broken = [
    ...vitest.state.getUnhandledErrors(),
    ...vitest.state.getTestModules().flatMap((module) => module.errors()),
  ];
  if (broken.length > 0) {
    throw new Error(`The checks could not be run:\n${broken.map(errorText).join('\n')}`);
  }
}

function gather(vitest: Vitest): Ran {
  assertWhole(vitest);
  const metas: CheckMeta[] = [];
  const unasked: string[] = [];
  let traffic: Traffic | undefined;
  for (const module of vitest.state.getTestModules()) {
    traffic ??= module.meta().touchstoneTraffic;
    unasked.push(...(module.meta().touchstoneUnasked ?? []));
    for (const test of module.children.allTests()) {
      const meta = test.meta().touchstone;
      if (meta === undefined) continue;
      // Whatever went round the verdict, an error of Vitest or of a hook, must not be lost.
      const failed = test.result().state === 'failed';
      const verdict = meta.verdict;
      const agrees = verdict !== undefined && (!failed || throwing.has(verdict.state));
      metas.push(agrees ? meta : { ...meta, verdict: lost(test.result().errors ?? []) });
    }
  }
  if (traffic === undefined) throw new Error('The checks were collected, but none was run');
  return { metas, traffic, unasked };
}

const throwing = new Set(['fail', 'inconclusive', 'error']);

/** Errors come from the worker as plain objects, without a prototype. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  return typeof stack === 'string' ? stack : String(message);
}

function lost(errors: readonly { readonly stack?: string; readonly message: string }[]): {
  readonly state: 'error';
  readonly reason: string;
} {
  const reason = errors.map(({ stack, message }) => stack ?? message).join('\n');
  return { state: 'error', reason: reason === '' ? 'The check gave no verdict' : reason };
}
