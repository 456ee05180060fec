import type { Access, Call } from './call.ts';
import type { Key } from './keys.ts';
import type { ResponseTurn } from './responses/turn.ts';
import type { StoredOperation, StoredResponse } from './store.ts';

/**
 * Returns the stored response if this key may reach it for this operation. To the client, every denial looks like an
 * unknown id.
 */
export function reachable(
  id: string,
  operation: StoredOperation,
  call: Call,
  key: Key,
): (StoredResponse & { readonly turn: ResponseTurn }) | undefined {
  const record = call.gateway.store.peek(id);
  if (record === undefined) return undefined;
  if (!mayReach({ operation, record, key, call })) return undefined;
  return hasContent(record) ? record : undefined;
}

/** Checks every condition of the specification for reaching a stored response. */
export function mayReach(access: Access): boolean {
  const { policy } = access.call.gateway.seams;
  return (
    policy.isStored(access) &&
    policy.isNotDeleted(access) &&
    policy.isWithinRetention(access) &&
    policy.isOriginalRegion(access) &&
    policy.isSameUser(access) &&
    policy.isModelPermitted(access)
  );
}

function hasContent(
  record: StoredResponse,
): record is StoredResponse & { readonly turn: ResponseTurn } {
  return record.turn !== null;
}
