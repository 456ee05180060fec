import type { Target } from '../kernel/targets/index.ts';
import { verdictsOnMany } from './many.ts';
import type { Verdicts } from './matrix.ts';
import { type Subject, startSubject } from './subject.ts';

export interface BatchOptions {
  readonly seed: number;
  /**
   * Maximum number of gateways that are called concurrently, without those that only wait. More than a core can
   * serve would only slow down every answer.
   */
  readonly window: number;
  readonly signal?: AbortSignal;
}

/** Starts some gateways in this process, judges them in one run, and ends them. Returns the verdicts by id. */
export async function judgeBatch(
  subjects: readonly Subject[],
  options: BatchOptions,
): Promise<ReadonlyMap<string, Verdicts>> {
  const started = await Promise.all(subjects.map(startSubject));
  try {
    const many = subjects.map(({ gateway: _, ...subject }, index) => ({
      ...subject,
      target: withOwnName(started[index]?.target, subject),
    }));
    const judged = await verdictsOnMany(many, options);
    return new Map(subjects.map(({ id }, index) => [id, judged[index] ?? new Map()]));
  } finally {
    await Promise.all(started.map(({ close }) => close()));
  }
}

function withOwnName(
  target: Target | undefined,
  { id, concurrency = 16 }: Omit<Subject, 'gateway'>,
) {
  if (target === undefined) throw new Error(`${id} was not started`);
  return { ...target, name: id, limits: { ...target.limits, concurrency } };
}
