import { isIndirect } from './access.ts';
import type { Cell } from './cells.ts';
import { type Reason, sideOf } from './reasons.ts';

/** The row of a denial, by its reason. */
const denied: Readonly<Record<Exclude<Reason, 'none' | 'second-key'>, string>> = {
  'no-key': 'access/owners.key-required',
  'unknown-key': 'access/owners.key-required',
  'other-user': 'access/owners.other-user-denied',
  restricted: 'access/permissions.lookup-needs-model',
  'under-another-model': 'access/permissions.continue-under-another-model',
  'other-region': 'access/regions.other-region-denied',
  deleted: 'storage/deletion.denies-afterwards',
  expired: 'storage/responses.gone-after-retention',
  unstored: 'storage/responses.false-denies',
};

/** Rows of denials while the response runs. They are separate, because a run may end too soon. */
const whileRunning: Readonly<Partial<Record<Reason, string>>> = {
  'other-user': 'access/owners.running-denied',
  restricted: 'access/permissions.running-needs-model',
  'other-region': 'access/regions.running-denied',
};

/** Rows of denials of calls that name a response without continuing it. */
const indirectly: Readonly<Partial<Record<Reason, string>>> = {
  'other-user': 'access/owners.indirect-access-denied',
  restricted: 'access/permissions.indirect-access-denied',
  'other-region': 'access/regions.indirect-access-denied',
  deleted: 'storage/deletion.indirect-access-denied',
  expired: 'storage/responses.expired-indirect-access-denied',
  unstored: 'storage/responses.false-indirect-access-denied',
};

/** Returns the check that a cell belongs to. Null: the cell is only a control of others. */
export function rowOf(cell: Cell): string | null {
  const { reason, second, operation, state, mode } = cell;
  if (state === 'aged') return `storage/responses.kept-by-creation-mode:${mode}`;
  if (reason === 'second-key') return `access/owners.same-user-served:${operation}`;
  if (reason === 'none') return servedRowOf(cell);
  if (second !== null)
    return `access/owners.two-reasons-denied:${sideOf(reason)}-${sideOf(second)}`;
  if (isIndirect(operation)) return `${indirectly[reason]}:${operation}`;
  if (reason === 'under-another-model') return denied[reason];
  const runs = state === 'running' && reason !== 'deleted';
  const row = (runs ? whileRunning[reason] : undefined) ?? denied[reason];
  return `${row}:${operation}`;
}

/** Returns the row of a served act, or null for a form that is only a control. */
function servedRowOf({ operation, requestMode, mode }: Cell): string | null {
  if (operation === 'continue') return `storage/continuation.from-each-mode:${mode}`;
  if (operation === 'continue-websocket') {
    return `storage/continuation.over-websocket-from-each-mode:${mode}`;
  }
  const plain = requestMode === 'path' || requestMode === 'after';
  if (!plain || operation === 'cancel' || operation === 'delete') return null;
  return `storage/responses.read-by-creation-mode:${mode}`;
}
