import type { Exchange } from '../core/exchange.ts';
import { atHome } from '../target/home.ts';
import type { Target } from '../target/target.ts';
import { type RoleAssignment, type RoleResolution, resolveRoles } from './needs.ts';
import type { Place } from './registry.ts';
import {
  modelsShown,
  modelsThere,
  type Scenario,
  scenariosIn,
  withPrerequisites,
} from './scenario.ts';
import type { TargetRun } from './session.ts';
import { withModelsShown } from './shown-models.ts';

// No source says that every region has every model: in a further region, roles are for models that it
// shows its owner.

/** A target as it is where a scenario runs, and who plays its roles there. */
export interface Setting {
  readonly target: Target;
  readonly cast: RoleAssignment;
}

/** Who plays the roles of a scenario, as far as the target file tells. */
export function rolesOf({ needs, home }: Scenario, target: Target): RoleResolution {
  return resolveRoles(needs, atHome(target, home));
}

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

/** The target as a check is to see it where it is judged, when all that it is judged on is there. */
export async function judgedAt(
  { target: whole, outcomes }: TargetRun,
  { region, on }: Place,
): Promise<{ readonly target: Target; readonly lacksModels: boolean }> {
  const target = atHome(whole, region);
  const lists = region === null ? undefined : outcomes.get(modelsShown.inRegion(region));
  const outcome = await lists;
  if (outcome?.kind !== 'captured') return { target, lacksModels: false };
  const shown = withModelsShown(target, outcome.captured as readonly Exchange[]);
  const lacksModels = [...withPrerequisites(scenariosIn(on))].some(
    ({ needs }) => resolveRoles(needs, shown).kind !== 'cast',
  );
  return lacksModels ? { target, lacksModels } : { target: shown, lacksModels };
}
