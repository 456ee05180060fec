import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { TaskMeta } from 'vitest';
import type { CheckVerdict } from '../core/verdict.ts';
import type { Target } from '../target/target.ts';
import type { ChannelMessage, OneOrder } from './order.ts';
import { assertWhole } from './run.ts';
import { startVitest } from './start-vitest.ts';
import type { TriedTransients } from './try-transients.ts';

export type { TriedTransients };

/** One of many targets of a run. */
export interface OneOfMany extends OneOrder {
  readonly target: Target;
}

export interface ManyOptions {
  readonly seed: number;
  /** Targets that are called at once; one that only keeps us waiting is not counted. */
  readonly window: number;
  readonly signal?: AbortSignal;
}

/**
 * Judges many targets in one run and gives the verdicts on each, in order; of a target that was not
 * reached before the run was broken off, none.
 */
export async function runMany(
  many: readonly OneOfMany[],
  options: ManyOptions,
): Promise<readonly ReadonlyMap<string, CheckVerdict>[]> {
  const metas = await metasOf(many, options);
  return metas.map((meta) => new Map(Object.entries(meta?.touchstoneVerdicts ?? {})));
}

/**
 * Judges what a target answers with every transient that can befall an answer.
 *
 * @param selected ids of the checks to judge by; null: every one
 */
export async function runTransients(
  target: Target,
  selected: readonly string[] | null,
  options: Omit<ManyOptions, 'window'>,
): Promise<TriedTransients> {
  const one = { target, selected, transients: true };
  const [meta] = await metasOf([one], { ...options, window: 1 });
  return meta?.touchstoneTransients ?? { exchanges: 0, verdicts: 0, blamed: [] };
}

/** What the test of each target came to, in order. */
async function metasOf(
  many: readonly OneOfMany[],
  { seed, window, signal }: ManyOptions,
): Promise<readonly (TaskMeta | undefined)[]> {
  const runId = randomUUID();
  const channel = new BroadcastChannel(runId);
  const stop = (): void => channel.postMessage({ kind: 'stop' } satisfies ChannelMessage);
  signal?.addEventListener('abort', stop);
  const vitest = await startVitest({
    targets: many.map(({ target }) => target),
    seed,
    runId,
    selected: null,
    recording: null,
    many: { window, each: many.map(({ target: _, ...one }) => one) },
  });
  try {
    await vitest.start();
    assertWhole(vitest);
    const byName = new Map<string, TaskMeta>();
    for (const module of vitest.state.getTestModules()) {
      for (const test of module.children.allTests()) {
        const errors = test.result().errors ?? [];
        if (errors[0] !== undefined) throw new Error(`${test.name}: ${errors[0].stack ?? ''}`);
        byName.set(test.name, test.meta());
      }
    }
    return many.map(({ target }) => byName.get(target.name));
  } finally {
    signal?.removeEventListener('abort', stop);
    channel.close();
    await vitest.close();
  }
}
