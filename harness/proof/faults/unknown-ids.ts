import type { Answer, Operation } from '../../reference/dialect.ts';
import type { JsonObject } from '../../reference/json.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { remembering, tighten } from '../decisions.ts';
import { handling } from '../planting.ts';
import type { Fault } from './fault.ts';

// What is answered for an id that never was.

/** Knows the ids that the gateway gave: those of what is not stored, or no longer, stay denied. */
const rememberingAll = remembering.bind(null, () => true);

/** No longer than the gateway's own: what is oversized stays refused. */
function neverWas(id: string, given: ReadonlyMap<string, unknown>): boolean {
  return !given.has(id) && id.length < 100;
}

function answered(operation: Operation, answer: (id: string) => Answer): Defect['override'] {
  return rememberingAll((given) =>
    handling(operation, (handle) => async (call, key) => {
      try {
        return await handle(call, key);
      } catch (error) {
        const { id = '' } = call.params;
        const unknown = error instanceof Refusal && error.reason === 'unknown-response';
        if (unknown && neverWas(id, given)) return answer(id);
        throw error;
      }
    }),
  );
}

/** A continuation of nothing is a new conversation. */
function ignored(operation: Operation): Defect['override'] {
  return rememberingAll((given) =>
    tighten('insists', (refusal, call) => {
      const { previous_response_id: id } = call.body;
      return (
        call.operation === operation &&
        refusal.reason === 'unknown-previous-response' &&
        typeof id === 'string' &&
        neverWas(id, given)
      );
    }),
  );
}

function emptyResponse(id: string, status: string): JsonObject {
  return { id, object: 'response', created_at: 0, model: 'unknown', status, output: [] };
}

export const unknownIdFaults: readonly Fault[] = [
  {
    id: 'unknown-ids.empty-lookup',
    what: 'The lookup of an id that does not exist is answered with an empty response.',
    breaks: ['storage/responses.unknown-id-denied:lookup'],
    override: answered('responses.lookup', (id) => ({
      kind: 'responses.response',
      body: emptyResponse(id, 'completed'),
    })),
  },
  {
    id: 'unknown-ids.empty-input-items',
    what: 'An id that does not exist has an empty list of input items.',
    breaks: ['storage/responses.unknown-id-denied:input-items'],
    override: answered('responses.input-items', () => ({
      kind: 'responses.input-items',
      body: { object: 'list', data: [], first_id: null, last_id: null, has_more: false },
    })),
  },
  {
    id: 'unknown-ids.empty-recovery',
    what: 'The stream of an id that does not exist is an empty one.',
    breaks: ['storage/responses.unknown-id-denied:recover'],
    override: answered('responses.recover', () => ({
      kind: 'responses.stream',
      async *events() {},
    })),
  },
  {
    id: 'unknown-ids.cancelled',
    what: 'Cancelling an id that does not exist is answered as if it were done.',
    breaks: ['storage/responses.unknown-id-denied:cancel'],
    override: answered('responses.cancel', (id) => ({
      kind: 'responses.response',
      body: emptyResponse(id, 'cancelled'),
    })),
  },
  {
    id: 'unknown-ids.deleted',
    what: 'Deleting an id that does not exist is answered as if it were done.',
    breaks: ['storage/responses.unknown-id-denied:delete'],
    override: answered('responses.delete', (id) => ({
      kind: 'responses.deleted',
      body: { id, object: 'response', deleted: true },
    })),
  },
  {
    id: 'unknown-ids.continued',
    what: 'A `previous_response_id` that does not exist is ignored.',
    breaks: ['storage/responses.unknown-id-denied:continue'],
    override: ignored('responses.create'),
  },
  {
    id: 'unknown-ids.continued-over-websocket',
    what: 'Over WebSocket, a `previous_response_id` that does not exist is ignored.',
    breaks: ['storage/responses.unknown-id-denied:continue-websocket'],
    override: ignored('responses.websocket'),
  },
];
