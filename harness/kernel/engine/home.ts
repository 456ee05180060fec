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

// No source says that every region has every model: in a further region, roles are for models that it
// shows its owner.

/** A target as it is where a scenario runs, and who plays its roles there. */
export interface Setting {
  readonly target: Target;
  readonly cast: RoleAssignment;
}

/** Returns the models that play the roles of a scenario, as far as the target file tells. */
export const rolesOf = perTarget(
  ({ needs, home }: Scenario, target): RoleResolution => resolveRoles(needs, atHome(target, home)),
);

/** @param cast among all models: they are tried where the region shows none that could play the roles */
export function settingOf(
  { home, needs }: Scenario,
  whole: Target,
  cast: RoleAssignment,
  before: Readonly<Record<string, unknown>>,
): Setting {
  const target = atHome(whole, home);
  const lists = before[modelsThere];
  if (lists === undefined) return { target, cast };
  // Under this name there is nothing else.
  const shown = withModelsShown(target, lists as readonly Exchange[]);
  const casting = resolveRoles(needs, shown);
  return casting.kind === 'cast' ? { target: shown, cast: casting.cast } : { target, cast };
}

/** Target of a check in its region, and what the region shows of its models. */
interface Judged {
  /** The target as it is there. */
  readonly target: Target;
  /** The lists of the region show its owner none of the models that the check rests on. */
  readonly lacksModels: boolean;
  /** The lists show all of them, or the target file says that they are there. */
  readonly hasModels: boolean;
}

/** Returns where a check is judged. To be called when all that it is judged on has its outcome. */
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
