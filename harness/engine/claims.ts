import { loadCatalogue } from '../core/catalogue.ts';
import { claimable, isOf, profilesNamed } from '../core/profiles.ts';
import { declaredAs } from '../core/protocol.ts';
import type { Claims } from '../core/result.ts';
import { permittedKeys } from '../target/roles.ts';
import type { Target } from '../target/target.ts';
import { capabilityInFile } from '../target/vocabulary.ts';
import type { Obstacle } from './needs.ts';

/** What a target claims: what its file says, or else what its models declare comes to. */
export function claimsOf({ profiles, models }: Pick<Target, 'profiles' | 'models'>): Claims {
  if (profiles !== undefined) return { profiles, stated: true };
  const { claims, checks } = loadCatalogue();
  const offered = models
    .filter((model) => permittedKeys(model).includes('owner'))
    .flatMap(({ protocols, supports }) => [
      ...protocols.map((protocol) => declaredAs[protocol]),
      ...supports.map(capabilityInFile),
    ]);
  const ids = checks.map(({ id }) => id);
  return { profiles: claimable(new Set(offered), claims, ids), stated: false };
}

/** Whether a check is one of those that a target claims to hold; where it says nothing, all are. */
export function isClaimed(id: string, { profiles }: Pick<Target, 'profiles'>): boolean {
  if (profiles === undefined) return true;
  return profilesNamed(profiles, loadCatalogue().claims).some((profile) => isOf(id, profile));
}

/**
 * What stands in the way of a check, where its target claims something: what a claim needs, and no model declares,
 * is no honest "not applicable". The claim cannot be met, and the run is partial.
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
