import {
  type Claims,
  claimable,
  declaredAs,
  isAmong,
  isOf,
  loadCatalogue,
  profilesNamed,
  type RestrictionEntry,
  type RestrictionFlags,
  restrictionsSaid,
} from '../core/index.ts';
import { capabilityInFile, permittedKeys, type Target } from '../targets/index.ts';
import type { Obstacle } from './needs.ts';

/** Returns the profiles that a target claims in its file, or else those that its models support. */
export function claimsOf(target: Pick<Target, 'profiles' | 'models'> & RestrictionFlags): Claims {
  const { profiles, models } = target;
  if (profiles !== undefined) return { profiles, stated: true };
  const { claims } = loadCatalogue();
  const offered = models
    .filter((model) => permittedKeys(model).includes('owner'))
    .flatMap(({ protocols, supports }) => [
      ...protocols.map((protocol) => declaredAs[protocol]),
      ...supports.map(capabilityInFile),
    ]);
  return {
    profiles: claimable(new Set(offered), restrictionsSaid(target), claims),
    stated: false,
  };
}

/** Returns the restriction that leaves the whole group of rows of this check open, or null. */
export function leftOpenBy(id: string, target: RestrictionFlags): RestrictionEntry | null {
  const said = restrictionsSaid(target);
  if (said.length === 0) return null;
  const entry = loadCatalogue().claims.restrictions.find(
    ({ name, whole, leavesOpen }) => whole && said.includes(name) && isAmong(id, leavesOpen),
  );
  return entry ?? null;
}

/**
 * Turns "not applicable" into an unmet claim if a claimed profile needs something that no model of the target
 * declares. The run is partial then.
 */
export function underClaims(
  id: string,
  obstacle: Obstacle,
  { profiles = [] }: Pick<Target, 'profiles'>,
): Obstacle {
  const { kind, gap, restriction } = obstacle;
  if (kind !== 'not-applicable' || gap === undefined || restriction !== undefined) return obstacle;
  const claim = profilesNamed(profiles, loadCatalogue().claims).find(
    (profile) => isOf(id, profile) && gap.names.some((name) => profile.needs.includes(name)),
  );
  if (claim === undefined) return obstacle;
  const names = gap.names.map((name) => `\`${name}\``).join(', ');
  return {
    kind: 'untestable',
    reason: `\`${claim.name}\` is claimed, and no model declares ${names}: add it to a model, or claim less`,
    gap,
  };
}
