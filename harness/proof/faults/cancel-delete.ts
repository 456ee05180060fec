import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide, relax, remembering, tighten } from '../decisions.ts';
import { memberAt, set, without } from '../editing.ts';
import { bodies, handling, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { storedOperations } from './regions-owners.ts';
import { lookedUp, originOf, responseAt } from './response-bodies.ts';

// Stopping a run, and removing a response.

const cancelled = ['responses.cancel'] as const;

/** Deleting marks the response only, and one operation does not look at the mark. */
function stillThere(operation: (typeof storedOperations)[number]): Fault {
  return {
    id: `delete.still-there-${operation}`,
    what: `The operation ${operation} reaches a deleted response.`,
    breaks: [
      `storage/deletion.denies-afterwards:${operation}`,
      ...(operation === 'recover' ? ['storage/deletion.removes-events'] : []),
    ],
    override: together(
      tighten('deleteRemovesContent', () => true),
      relax('isNotDeleted', (access) => access.operation === operation),
    ),
  };
}

/** A cancel that comes too late, and changes what is shown all the same. */
const finishedTurnsCancelled: Defect['override'] = (seams) => {
  const late = new Set<string>();
  const changing = responseAt([...cancelled, ...lookedUp], 'background', (body, { parts }) =>
    late.has(parts.id) ? set(body, 'status', 'cancelled') : body,
  );
  return {
    ...changing(seams),
    policy: {
      cancelStops: (record, call) => {
        if (record.turn?.status === 'completed') late.add(record.id);
        return seams.policy.cancelStops(record, call);
      },
    },
  };
};

/** A cancel that sets the status, and leaves the run alone. */
const shownAsCancelled: Defect['override'] = (seams) => {
  const asked = new Set<string>();
  const changing = responseAt([...cancelled, ...lookedUp], 'background', (body, { parts }) =>
    asked.has(parts.id) ? set(body, 'status', 'cancelled') : body,
  );
  return {
    ...changing(seams),
    policy: {
      cancelStops: ({ id, turn }) => {
        if (turn?.finished !== true) asked.add(id);
        return false;
      },
    },
  };
};

/**
 * DELETE … WHERE user = …: a lookup finds nothing of what there was then. Only of what came in one
 * body, so that not every other check is in its way.
 */
const everythingDeleted: Defect['override'] = remembering(
  () => true,
  (made) => (seams) => {
    const wiped = new Map<string, ReadonlySet<string>>();
    return together(
      decide('deleteDenies', (native) => (record, call) => {
        wiped.set(record.owner, new Set(made.keys()));
        return native(record, call);
      }),
      tighten('isNotDeleted', ({ operation, record: { id, owner, turn } }) => {
        const looking = operation === 'lookup' && turn !== null && originOf(turn) === 'one-body';
        return looking && wiped.get(owner)?.has(id) === true;
      }),
    )(seams);
  },
);

export const cancelDeleteFaults: readonly Fault[] = [
  {
    id: 'cancel.needs-body',
    what: 'A cancel without a request body is refused.',
    breaks: ['background/cancel.no-body-served'],
    override: handling('responses.cancel', (handle) => (call, key) => {
      const { 'content-length': length = '0' } = call.headers;
      if (length !== '0') return handle(call, key);
      throw new Refusal('empty-body', 'The request body is empty; send a JSON object.');
    }),
  },
  {
    id: 'cancel.changes-nothing',
    what: 'A cancel is served, and the run goes on.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: () => ({ policy: { cancelStops: () => false } }),
  },
  {
    id: 'cancel.hides-the-run',
    what: 'A cancelled response is shown as cancelled, and the run goes on.',
    breaks: ['background/cancel.run-ends'],
    override: shownAsCancelled,
  },
  {
    id: 'cancel.removes-it',
    what: 'A cancelled response cannot be looked up any more.',
    breaks: ['background/cancel.still-stored'],
    override: (seams) => {
      const removed = new Set<string>();
      return together(
        decide('cancelStops', (native) => (record, call) => {
          if (record.turn?.finished !== true) removed.add(record.id);
          return native(record, call);
        }),
        tighten('isNotDeleted', (access) => removed.has(access.record.id)),
      )(seams);
    },
  },
  {
    id: 'cancel.says-so-only',
    what: 'A cancel is answered with the status `cancelled`, and the run goes on.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: (seams) => ({
      ...responseAt(cancelled, 'background', (body) => set(body, 'status', 'cancelled'))(seams),
      policy: { cancelStops: () => false },
    }),
  },
  {
    id: 'cancel.shows-completed',
    what: 'Lookups show a cancelled response as completed.',
    breaks: ['background/cancel.stops-run'],
    override: responseAt(lookedUp, 'background', (body) =>
      body.status === 'cancelled' ? set(body, 'status', 'completed') : body,
    ),
  },
  {
    id: 'cancel.shows-failed',
    what: 'Lookups show a cancelled response as failed.',
    breaks: ['background/cancel.stops-run'],
    override: responseAt(lookedUp, 'background', (body) =>
      body.status === 'cancelled' ? set(body, 'status', 'failed') : body,
    ),
  },
  {
    id: 'cancel.short-answer',
    what: 'A cancel is answered with the id and the status alone.',
    breaks: ['background/cancel.shape'],
    override: responseAt(cancelled, 'background', ({ id, object, status }) => ({
      id,
      object,
      status,
    })),
  },
  {
    id: 'cancel.other-id',
    what: 'A cancel is answered under an id of its own.',
    breaks: ['background/cancel.shape'],
    override: responseAt(cancelled, 'background', (body) => set(body, 'id', `${body.id}_cancel`)),
  },
  {
    id: 'cancel.once-only',
    what: 'A second cancel is refused.',
    breaks: ['background/cancel.repeat-served'],
    override: tighten('cancellable', (record) => record.turn?.status === 'cancelled'),
  },
  {
    id: 'cancel.completed-too',
    what: 'Cancelling a completed response makes it a cancelled one.',
    breaks: ['background/cancel.finished-unchanged'],
    override: finishedTurnsCancelled,
  },
  {
    id: 'cancel.foreground-too',
    what: 'A response that did not run in the background can be cancelled.',
    breaks: ['background/cancel.foreground-refused'],
    override: () => ({ policy: { cancellable: () => true } }),
  },
  {
    id: 'delete.answers-404',
    what: 'A delete removes the response, and then says that it is not there.',
    breaks: ['storage/deletion.served'],
    override: ({ encode }) => ({
      encode: {
        status: (kind, status, context) =>
          kind === 'responses.deleted' ? 404 : encode.status(kind, status, context),
      },
    }),
  },
  {
    id: 'delete.says-false',
    what: 'A delete is answered with `deleted: false`.',
    breaks: ['storage/deletion.shape'],
    override: bodies('responses.deleted', (body) => set(body, 'deleted', false)),
  },
  {
    id: 'delete.no-id',
    what: 'The answer to a delete does not name the response.',
    breaks: ['storage/deletion.shape'],
    override: bodies('responses.deleted', (body) => without(body, 'id')),
  },
  ...storedOperations.filter((name) => name !== 'delete').map(stillThere),
  {
    id: 'delete.still-there-delete',
    what: 'Deleting marks the response only, and a second deletion shows what it was asked.',
    breaks: ['storage/deletion.denies-afterwards:delete'],
    override: (seams) => {
      const again = new Set<unknown>();
      const { policy } = seams;
      return {
        ...bodies('responses.deleted', (body, { record }) => {
          const input = memberAt(record?.turn?.parts.request.input, '0.content.0.text');
          return again.has(body.id) && input !== undefined ? { ...body, input } : body;
        })(seams),
        policy: {
          deleteRemovesContent: () => false,
          deleteDenies: (record, call) => {
            if (record.deleted) again.add(record.id);
            return policy.deleteDenies(record, call);
          },
          isNotDeleted: (access) => access.operation === 'delete' || policy.isNotDeleted(access),
        },
      };
    },
  },
  {
    id: 'delete.deletes-all',
    what: 'Deleting one response deletes all that the user has.',
    breaks: ['storage/deletion.leaves-others'],
    override: everythingDeleted,
  },
  {
    id: 'delete.runs-on',
    what: 'A deleted response runs to its end.',
    breaks: ['storage/deletion.cancels-running'],
    override: () => ({ policy: { deleteStops: () => false } }),
  },
];
