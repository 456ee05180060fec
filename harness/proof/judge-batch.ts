import type { Target } from '../kernel/targets/index.ts';
import { verdictsOnMany } from './many.ts';
import type { Verdicts } from './matrix.ts';
import { type Subject, startSubject } from './subject.ts';

export interface BatchOptions {
  readonly seed: number;
  /**
   * Gateways that are called at once; those that only wait do not count. More of them than keep
   * a core busy only make every answer slower.
   */
  readonly window: number;
  readonly signal?: AbortSignal;
}

/** Starts some gateways in this process, judges them in one run, and ends them. By their ids. */
export async function judgeBatch(
  subjects: readonly Subject[],
  options: BatchOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const started = await Promise.all(subjects.map(startSubject));
  try {
    const many = subjects.map(({ gateway: _, ...subject }, index) => ({
      ...subject,
      target: named(started[index]?.target, subject),
    }));
    const judged = await verdictsOnMany(many, options);
    return new Map(subjects.map(({ id }, index) => [id, judged[index] ?? new Map()]));
  } finally {
    await Promise.all(started.map(({ close }) => close()));
  }
}

function named(target: Target | undefined, { id, concurrency = 16 }: Omit<Subject, 'gateway'>) {
  if (target === undefined) throw new Error(`${id} was not started`);
  return { ...target, name: id, limits: { ...target.limits, concurrency } };
}
