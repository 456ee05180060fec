import { insist, requireCapability } from '../admission.ts';
import type { Answer, BodyAnswer, Call, StreamAnswer } from '../call.ts';
import type { Key } from '../keys.ts';
import { reachable } from '../reach.ts';
import { quoted, Refusal } from '../refusal.ts';
import type { StoredOperation } from '../store.ts';
import type { LiveResponse } from './create.ts';

/** `GET /v1/responses/<RESPONSE_ID>`: the response or, with `stream=true`, the events of its stream. */
export function lookup(call: Call, key: Key): Answer {
  if (call.operation === 'responses.recover') return recover(call, key);
  const record = reach('lookup', call, key);
  return { kind: 'responses.response', body: record.turn.response(), record };
}

/** Resumes a stream after `starting_after`, and follows it while the response runs. */
function recover(call: Call, key: Key): StreamAnswer {
  const record = reach('recover', call, key);
  requireCapability(record.model, 'stream', call, 'stream');
  const startingAfter = readStartingAfter(call);
  const from = call.gateway.seams.policy.recoversFrom(startingAfter, record, call);
  return {
    kind: 'responses.stream',
    events: (gone) => record.turn.events(gone, from),
    record,
    startingAfter,
  };
}

/** `POST /v1/responses/<RESPONSE_ID>/cancel`. A response that has ended is returned unchanged. */
export function cancel(call: Call, key: Key): BodyAnswer {
  const { policy } = call.gateway.seams;
  const record = reach('cancel', call, key);
  if (!policy.cancellable(record, call)) {
    throw new Refusal('not-cancellable', 'Cannot cancel a synchronous response.');
  }
  if (policy.cancelStops(record, call)) record.turn.cancel();
  return { kind: 'responses.response', body: record.turn.response(), record };
}

/** `DELETE /v1/responses/<RESPONSE_ID>`. The ledger keeps its record. */
export function remove(call: Call, key: Key): BodyAnswer {
  const { policy } = call.gateway.seams;
  // Not the narrowed record, because this removes its content.
  const record = reach('delete', call, key);
  const { id, turn } = record;
  if (policy.deleteStops(record, call)) turn.cancel();
  const stored = call.gateway.store.peek(id);
  if (stored !== undefined) {
    if (policy.deleteDenies(stored, call)) stored.deleted = true;
    if (policy.deleteRemovesContent(stored, call)) stored.turn = null;
  }
  return { kind: 'responses.deleted', body: { id, object: 'response', deleted: true }, record };
}

/** Returns the stored response of the path. Every denial looks like an unknown id. */
export function reach(operation: StoredOperation, call: Call, key: Key): LiveResponse {
  const id = call.params.id ?? '';
  const record = reachable(id, operation, call, key);
  if (record !== undefined) return record;
  throw new Refusal('unknown-response', `Response with id ${quoted(id)} not found.`);
}

/** Reads the sequence number; null for the whole stream. */
function readStartingAfter(call: Call): number | null {
  const value = call.query.get('starting_after');
  if (value === null) return null;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const message = `'starting_after' has to be a sequence number, not ${quoted(value)}.`;
  insist(call, new Refusal('invalid-value', message, 'starting_after'));
  return null;
}
