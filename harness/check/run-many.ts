import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { CheckVerdict } from '../spec/verdict.ts';
import type { Target } from '../target/target.ts';
import type { ChannelMessage, OneOrder } from './order.ts';
import { assertWhole } from './run.ts';
import { startVitest } from './start-vitest.ts';

/** One of many targets of a run. */
export interface OneOfMany extends OneOrder {
  readonly target: Target;
}

export interface ManyOptions {
  readonly seed: number;
  /** Targets that are under way at once. */
  readonly window: number;
  readonly signal?: AbortSignal;
}

/**
 * Judges many targets in one run and gives the verdicts on each, in order; of a target that was not
 * reached before the run was broken off, none.
 */
export async function runMany(
  many: readonly OneOfMany[],
  { seed, window, signal }: ManyOptions,
): Promise<readonly ReadonlyMap<string, CheckVerdict>[]> {
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
    const byName = new Map<string, Readonly<Record<string, CheckVerdict>>>();
    for (const module of vitest.state.getTestModules()) {
      for (const test of module.children.allTests()) {
        const errors = test.result().errors ?? [];
        if (errors[0] !== undefined) throw new Error(`${test.name}: ${errors[0].stack ?? ''}`);
        byName.set(test.name, test.meta().touchstoneVerdicts ?? {});
      }
    }
    return many.map(({ target }) => new Map(Object.entries(byName.get(target.name) ?? {})));
  } finally {
    signal?.removeEventListener('abort', stop);
    channel.close();
    await vitest.close();
  }
}
