import type { Target } from './target.ts';

const seen = new WeakMap<Target, Map<string | null, Target>>();

/**
 * Returns the target from the perspective of one home region: it comes first, and models of other regions only are
 * left out. Repeated calls return the identical object.
 *
 * @param region null for the first region
 */
export function atHome(target: Target, region: string | null): Target {
  const known = seen.get(target) ?? new Map<string | null, Target>();
  seen.set(target, known);
  const there = known.get(region) ?? turned(target, region);
  known.set(region, there);
  return there;
}

function turned(target: Target, region: string | null): Target {
  const home = region ?? target.regions[0]?.name ?? '';
  const models = target.models.filter(({ regions }) => regions?.includes(home) ?? true);
  if (region === null && models.length === target.models.length) return target;
  const isHome = ({ name }: Target['regions'][number]): boolean => name === home;
  const { regions } = target;
  return {
    ...target,
    models,
    regions: [...regions.filter(isHome), ...regions.filter((one) => !isHome(one))],
  };
}
