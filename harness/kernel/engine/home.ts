import type { Exchange } from '../core/index.ts';
import { atHome, type Target } from '../targets/index.ts';
import { type RoleAssignment, type RoleResolution, resolveRoles } from './needs.ts';
import { perTarget } from './per-target.ts';
import type { Place } from './registry.ts';
import {
  modelsShown,
  modelsThere,
  type Scenario,
  scenariosIn,
  withPrerequisites,
} from './scenario.ts';
import type { TargetRun } from './session.ts';
import { isIn, withModelsShown } from './shown-models.ts';

// No source says that every region has every model. Roles in a further region are therefore cast from the models
// that the region lists to its owner.

/** A target as the region of a scenario has it, and the models that play its roles there. */
export interface Setting {
  readonly target: Target;
  readonly cast: RoleAssignment;
}

/** Returns the models that play the roles of a scenario, judging by the target file alone. */
export const rolesOf = perTarget(
  ({ needs, home }: Scenario, target): RoleResolution => resolveRoles(needs, atHome(target, home)),
);

/** @param cast among all models; used if the region lists no model that could play the roles */
export function settingOf(
  { home, needs }: Scenario,
  whole: Target,
  cast: RoleAssignment,
  before: Readonly<Record<string, unknown>>,
): Setting {
  const target = atHome(whole, home);
  const lists = before[modelsThere];
  if (lists === undefined) return { target, cast };
  // The name is reserved for these lists.
  const shown = withModelsShown(target, lists as readonly Exchange[]);
  const casting = resolveRoles(needs, shown);
  return casting.kind === 'cast' ? { target: shown, cast: casting.cast } : { target, cast };
}

/** Target of a check in its region, and the presence of its models there. */
interface Judged {
  /** The target as seen from the region. */
  readonly target: Target;
  /** The lists of the region show the owner none of the models that the check needs. */
  readonly lacksModels: boolean;
  /** The lists show all of them, or the target file declares them for the region. */
  readonly hasModels: boolean;
}

/** Returns the target that a check is judged at. To be called after the scenarios of the check. */
export async function judgedAt(
  { target: whole, outcomes }: TargetRun,
  { region, on }: Place,
): Promise<Judged> {
  const target = atHome(whole, region);
  if (region === null) return { target, lacksModels: false, hasModels: true };
  const outcome = await outcomes.get(modelsShown.inRegion(region));
  if (outcome?.kind !== 'captured') return { target, lacksModels: false, hasModels: false };
  const lists = outcome.captured as readonly Exchange[];
  const shown = withModelsShown(target, lists);
  const roles = [...withPrerequisites(scenariosIn(on))].map(({ needs }) =>
    resolveRoles(needs, shown),
  );
  if (roles.some(({ kind }) => kind !== 'cast')) {
    return { target, lacksModels: true, hasModels: false };
  }
  const models = roles.flatMap((role) =>
    role.kind === 'cast' ? [role.cast.model ?? [], Object.values(role.cast.models)].flat() : [],
  );
  return { target: shown, lacksModels: false, hasModels: models.every(isIn(lists)) };
}
