import { type OneOfMany, runMany } from '../check/run-many.ts';
import type { StartedTarget } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import type { Verdicts } from './matrix.ts';

export interface JudgeOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Gateways that are started together. */
  readonly batch?: number;
  /** Gateways that each of two workers calls at once. More of them make every answer slower, and none faster. */
  readonly window?: number;
  readonly onJudged?: (done: number) => void;
}

/** Something to judge that is started for the purpose. */
export interface Subject extends Omit<OneOfMany, 'target'> {
  readonly id: string;
  /** Requests under way at once. Default: 16. */
  readonly concurrency?: number;
  start(): Promise<Pick<StartedTarget, 'target' | 'close'>>;
}

/**
 * Judges many gateways in few runs: the target is an axis of the checks, so that Vitest, the catalogue
 * and the schemas are loaded once for a whole batch.
 */
export async function judgeTargets(
  subjects: readonly Subject[],
  { seed, signal, batch = 60, window = 3, onJudged }: JudgeOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const verdicts = new Map<string, Verdicts>();
  const batches = Array.from({ length: Math.ceil(subjects.length / batch) }, (_, index) =>
    subjects.slice(index * batch, (index + 1) * batch),
  );
  // Two at a time, each in a worker of its own: gateways share nothing, so their checks need not.
  await Promise.all([judgeBatches(), judgeBatches()]);
  return verdicts;

  async function judgeBatches(): Promise<void> {
    for (;;) {
      const some = signal?.aborted === true ? undefined : batches.shift();
      if (some === undefined) return;
      await judgeBatch(some);
      onJudged?.(verdicts.size);
    }
  }

  async function judgeBatch(some: readonly Subject[]): Promise<void> {
    const started = await Promise.all(some.map((subject) => subject.start()));
    try {
      const many = some.map(({ start: _, ...subject }, index) => ({
        ...subject,
        target: named(started[index]?.target, subject),
      }));
      const judged = await runMany(many, {
        seed,
        window,
        ...(signal === undefined ? {} : { signal }),
      });
      for (const [index, { id }] of some.entries()) verdicts.set(id, judged[index] ?? new Map());
    } finally {
      await Promise.all(started.map(({ close }) => close()));
    }
  }
}

function named(target: Target | undefined, { id, concurrency = 16 }: Omit<Subject, 'start'>) {
  if (target === undefined) throw new Error(`${id} was not started`);
  return { ...target, name: id, limits: { ...target.limits, concurrency } };
}
