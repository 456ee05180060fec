import { randomUUID } from 'node:crypto';
import { runChecks } from '../check/run.ts';
import type { StartedTarget } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import type { Verdicts } from './matrix.ts';

export interface JudgeOptions {
  readonly seed: number;
  /** Ids of the checks to run; null: every one. */
  readonly selected: readonly string[] | null;
  readonly signal?: AbortSignal;
  /** Gateways that are up at once. More of them make a run shorter and its answers slower. */
  readonly batch?: number;
  readonly onJudged?: (done: number) => void;
}

/** Something to judge that is started for the purpose. */
export interface Subject {
  readonly id: string;
  start(): Promise<Pick<StartedTarget, 'target' | 'close'>>;
}

/**
 * Judges many gateways in few runs: the target is an axis of the checks, so that Vitest, the catalogue
 * and the schemas are loaded once for a whole batch.
 */
export async function judgeTargets(
  subjects: readonly Subject[],
  { seed, selected, signal, batch = 12, onJudged }: JudgeOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const verdicts = new Map<string, Verdicts>();
  for (let from = 0; from < subjects.length && signal?.aborted !== true; from += batch) {
    const some = subjects.slice(from, from + batch);
    const started = await Promise.all(some.map((subject) => subject.start()));
    try {
      const targets = started.map(({ target }, index) => named(target, some[index]?.id ?? ''));
      const judged = await judgeBatch(targets, seed, selected, signal);
      for (const [index, { id }] of some.entries()) verdicts.set(id, judged[index] ?? new Map());
    } finally {
      await Promise.all(started.map(({ close }) => close()));
    }
    onJudged?.(verdicts.size);
  }
  return verdicts;
}

function named(target: Target, name: string): Target {
  // Many gateways share two cores: each is asked a little at a time, and waited for longer.
  return { ...target, name, limits: { ...target.limits, concurrency: 8 } };
}

async function judgeBatch(
  targets: readonly Target[],
  seed: number,
  selected: readonly string[] | null,
  signal: AbortSignal | undefined,
): Promise<readonly Verdicts[]> {
  const order = { targets, seed, runId: randomUUID(), selected, recording: null };
  const { metas } = await runChecks(order, signal === undefined ? {} : { signal });
  const verdicts = targets.map(() => new Map());
  for (const { id, target, verdict } of metas) verdicts[target]?.set(id, verdict);
  return verdicts;
}
