import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';

/** Creation time of the fixture models in Unix seconds, fixed so that lists are deterministic. */
const created = 1_767_225_600;

export function listEntry({ id }: FixtureModel): JsonObject {
  return { id, object: 'model', created, owned_by: 'touchstone' };
}

export function modelList(models: readonly FixtureModel[]): JsonObject {
  return {
    object: 'list',
    data: models.map(listEntry),
  };
}
