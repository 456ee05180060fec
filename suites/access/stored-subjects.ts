import type { StoredOperation, View } from '../../harness/index.ts';
import {
  type ModelOfItsOwn,
  type Stored,
  storedFor,
  storedResponse,
} from '../scenarios/stored/stored-responses.ts';

/**
 * Stored responses on a model that a key may use, or may not: one that all operations share that leave
 * a response as it is, and one for each that changes it or takes another kind.
 */
export function subjectsOn(
  name: string,
  model: ModelOfItsOwn,
  shared = storedResponse(name, model),
): (operation: StoredOperation) => View<Stored> {
  const own = new Map<string, View<Stored>>();
  return (operation) => {
    if (operation.needs.length === 0 && !operation.changes) return shared;
    const made =
      own.get(operation.name) ?? storedFor(operation, `${name}/${operation.name}`, model);
    own.set(operation.name, made);
    return made;
  };
}
