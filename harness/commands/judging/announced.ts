import type { Target } from '../../target/target.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import type { Chosen } from './judge-target.ts';

/** What a reader is told before a run that costs more than they may think, or judges less than they named. */
export async function announced(
  target: Target,
  { only, said }: Chosen,
  { filters, repeat }: RunCommandOptions,
): Promise<readonly string[]> {
  const part = said === undefined ? [] : [repeat === null ? said : `In each round: ${said}`];
  if (repeat === null) return part;
  const { plan } = await import('../../engine/run.ts');
  const { addUp } = await import('../../engine/plan.ts');
  const whole = await plan(target, filters);
  const { requests, generations, expectedGenerations } =
    only === undefined ? whole : addUp(whole.checks.filter(({ id }) => only.ids.includes(id)));
  const each = (count: number): string => `${repeat} × ${count} = ${repeat * count}`;
  return [
    ...part,
    `${repeat} rounds: ${each(expectedGenerations)} generations at a right gateway, ` +
      `at most ${each(generations)} at any, at most ${each(requests)} requests.`,
  ];
}
