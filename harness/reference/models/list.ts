import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';

/** When the fixture models were made: fixed, so that a list is the same every time. Unix seconds. */
const created = 1_767_225_600;

export function listEntry({ id }: FixtureModel): JsonObject {
  return { id, object: 'model', created, owned_by: 'touchstone' };
}

/** The OpenAI-style list. */
export function modelList(models: readonly FixtureModel[]): JsonObject {
  return {
    object: 'list',
    data: models.map(listEntry),
  };
}
