import type { Target } from './target.ts';

const seen = new WeakMap<Target, Map<string | null, Target>>();

/**
 * The target as it is for whoever is at home in one of its regions: that one comes first, and models that
 * the target file gives to other regions only are not there. The same one each time.
 *
 * @param region null: the first
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
