import type { Target } from './target.ts';

/** The target as it is for whoever is at home in one of its regions: that one comes first. Null: as it is. */
export function atHome(target: Target, region: string | null): Target {
  if (region === null) return target;
  const isHome = ({ name }: Target['regions'][number]): boolean => name === region;
  const { regions } = target;
  return {
    ...target,
    regions: [...regions.filter(isHome), ...regions.filter((one) => !isHome(one))],
  };
}
