import { counted } from '../../report/index.ts';
import type { Target } from '../../targets/index.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { type Chosen, planOf } from './judge-target.ts';

/** Returns notes for the reader before a run that costs more than expected, or judges less than was named. */
export async function announced(
  target: Target,
  { only, said, load }: Chosen,
  { filters, repeat }: RunCommandOptions,
): Promise<readonly string[]> {
  const part = said === undefined ? [] : [repeat === null ? said : `In each round: ${said}`];
  const each = (count: number): string =>
    repeat === null ? String(count) : `${repeat} × ${count} = ${repeat * count}`;
  const beside =
    load === undefined
      ? []
      : [
          `Under load: up to ${counted(load.inFlight, 'generation')} in flight meanwhile, at most ` +
            `${each(load.generations)} more than the run asks for (--load-generations N bounds them).`,
        ];
  if (repeat === null) return [...part, ...beside];
  const { requests, generations, expectedGenerations } = await planOf(target, filters, only);
  return [
    ...part,
    `${repeat} rounds: ${each(expectedGenerations)} generations at a right gateway, ` +
      `at most ${each(generations)} at any, at most ${each(requests)} requests.`,
    ...beside,
  ];
}
