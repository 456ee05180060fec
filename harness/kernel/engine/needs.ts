import {
  findModel,
  given,
  type Keys,
  type Missing,
  type Model,
  type ModelRole,
  type Probes,
  type Target,
} from '../targets/index.ts';

/** Requirements of a scenario on a target. Models are requested by role, never by id. */
export interface Needs {
  /** The model of all its calls that name no other. */
  readonly model?: ModelRole;
  /** Further models, by the names that the scenario uses for them. */
  readonly models?: Readonly<Record<string, ModelRole>>;
  readonly keys?: readonly Exclude<keyof Keys, 'owner'>[];
  readonly regions?: number;
  readonly probes?: readonly (keyof Probes)[];
  /** The client under test has to support other tasks than `generate`. */
  readonly tasks?: true;
}

export interface RoleAssignment {
  readonly model: Model | null;
  readonly models: Readonly<Record<string, Model>>;
}

export type RoleResolution = { readonly kind: 'cast'; readonly cast: RoleAssignment } | Obstacle;

/** Reason why nothing is sent: the target does not offer, or does not declare, what is needed. */
export type Obstacle = Missing;

/** Finds models for a scenario's roles, and checks its other needs. "Not offered" wins. */
export function resolveRoles(needs: Needs, target: Target): RoleResolution {
  const models: Record<string, Model> = {};
  const missing: Obstacle[] = [];
  const roles = Object.entries({
    ...(needs.model === undefined ? {} : { model: needs.model }),
    ...needs.models,
  });
  for (const [name, role] of roles) {
    const found = findModel(target, role);
    if (found.kind === 'found') models[name] = found.model;
    else missing.push(found);
  }
  const others = [
    ...(needs.keys ?? []).map((key) => given.key(target, key)),
    ...(needs.probes ?? []).map((probe) => given.probe(target, probe)),
    given.regions(target, needs.regions ?? 1),
    ...(needs.tasks === undefined ? [] : [given.tasks(target)]),
  ];
  for (const other of others) {
    if (other.kind !== 'found') missing.push(other);
  }
  const first = decisive(missing);
  if (first !== null) return first;
  const { model = null, ...rest } = models;
  return { kind: 'cast', cast: { model, models: rest } };
}

/** Returns the obstacle to report. One that no target file can change wins. */
export function decisive(obstacles: readonly Obstacle[]): Obstacle | null {
  return (
    obstacles.find(({ kind }) => kind === 'not-applicable') ??
    obstacles.find(({ restriction }) => restriction !== undefined) ??
    obstacles[0] ??
    null
  );
}
