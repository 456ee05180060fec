import {
  type Answer,
  type Call,
  type Defect,
  type JsonObject,
  type Overrides,
  quoted,
  Refusal,
  type Route,
  type Seams,
  type StoredOperation,
  type StoredResponse,
} from '../../../reference/index.ts';
import {
  creationModes,
  decide,
  inUs,
  madeBy,
  relax,
  remembering,
  tighten,
} from '../../decisions.ts';
import { dropping, memberAt, setting } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import {
  bodies,
  buffered,
  creationModeOf,
  handledAtTheEnd,
  handling,
  moreRoutes,
  seam,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Deletion of a response.

/**
 * Shows a deleted run as running in the first ledger query. On a busy machine, the run itself may have ended before.
 */
function runsOnInLedger({ policy }: Seams): Overrides {
  const unseen = new Set<string | null>();
  return {
    policy: {
      deleteStops: ({ id }) => {
        unseen.add(id);
        return false;
      },
      financialRecords: (record, gateway) => {
        const shown = policy.financialRecords(record, gateway);
        const isFirst = unseen.delete(record.responseId);
        return isFirst ? shown.map((one) => ({ ...one, status: 'running' })) : shown;
      },
    },
  };
}

/**
 * Makes a deletion hide all responses of the user from lookups. Limited to responses in one JSON body, so that
 * other checks are still judged.
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
        const looking =
          operation === 'lookup' && turn !== null && creationModeOf(turn) === 'one-body';
        return looking && wiped.get(owner)?.has(id) === true;
      }),
    )(seams);
  },
);

// Deletions that miss responses of some creation modes, and unstored responses that are kept.

const asked: readonly StoredOperation[] = ['lookup', 'continue'];

/** Keeps deleted responses, accessible to two operations. */
function staying(isOne: (record: StoredResponse) => boolean): Defect['override'] {
  return together(
    tighten('deleteRemovesContent', isOne),
    relax('isNotDeleted', ({ operation, record }) => asked.includes(operation) && isOne(record)),
  );
}

/** Keeps deleted background responses, depending on the state of their run at the deletion. */
function stayingBackground(hadEnded: boolean): Defect['override'] {
  return (seams) => {
    const stays = new Set<string>();
    return together(
      staying(({ id }) => stays.has(id)),
      decide('deleteStops', (native) => (record, call) => {
        if (record.background && record.turn?.finished === hadEnded) stays.add(record.id);
        return native(record, call);
      }),
    )(seams);
  };
}

/** Keeps responses despite `store: false` if a matching call created them, accessible to these operations. */
function kept(
  fits: (created: Call) => boolean,
  reached: readonly StoredOperation[],
): Defect['override'] {
  return madeBy(fits, (isOne) =>
    together(
      relax('keepsContent', (_execution, call) => fits(call)),
      relax('isStored', ({ operation, record }) => reached.includes(operation) && isOne(record)),
    ),
  );
}

/** States of responses, by what has become of them and of what they continue. */
const states = ['cancelled', 'cut-stream', 'cut-background', 'cut-turn', 'grandchild', 'orphan'];

/** Returns an override that knows which responses are in a state. */
function inState(
  state: string,
  override: (isOne: (record: StoredResponse) => boolean) => Defect['override'],
): Defect['override'] {
  return (seams) => {
    const left = new WeakSet<object>();
    const stateIn = (made: ReadonlyMap<string, Call>, record: StoredResponse): string | null => {
      const { id, turn, background } = record;
      if (turn?.status === 'cancelled') return 'cancelled';
      const before = (of: unknown): unknown => made.get(String(of))?.body.previous_response_id;
      if (turn !== null && left.has(turn.parts.request)) {
        const isTurn = made.get(id)?.operation === 'responses.websocket';
        return isTurn ? 'cut-turn' : `cut-${background ? 'background' : 'stream'}`;
      }
      const first = before(before(id));
      if (first === undefined) return null;
      const store = made.get(id)?.gateway.store;
      return store?.peek(String(first))?.deleted === true ? 'orphan' : 'grandchild';
    };
    return remembering(
      (_, prefix) => prefix === 'resp_',
      (made) =>
        together(
          decide('outlivesClient', (native) => (execution, call) => {
            left.add(execution);
            return native(execution, call);
          }),
          override((record) => stateIn(made, record) === state),
        ),
    )(seams);
  };
}

// A gateway that keeps messages, which the Messages endpoint does not offer.

interface Kept {
  readonly request: JsonObject;
  readonly message: JsonObject;
}

function inputOf({ request }: Kept): string {
  return `Nobody may read the answer to ${JSON.stringify(request.messages ?? null)}.`;
}

/** Keeps the messages of the gateway for a second override to read. */
function keeping(use: (kept: ReadonlyMap<string, Kept>) => Defect['override']): Defect['override'] {
  return (seams): Overrides => {
    const kept = new Map<string, Kept>();
    const id: Seams['encode']['id'] = (prefix, call) => {
      const given = seams.encode.id(prefix, call);
      if (prefix === 'msg_' && call.operation === 'messages.create') {
        const content = [{ type: 'text', text: 'This was kept.' }];
        kept.set(given, {
          request: call.body,
          message: { id: given, type: 'message', model: call.body.model, content },
        });
      }
      return given;
    };
    const storing: Seams = { ...seams, encode: { ...seams.encode, id } };
    const replaced = use(kept)(storing);
    return { ...replaced, encode: { id, ...replaced.encode } };
  };
}

function reading(
  path: RegExp,
  kept: ReadonlyMap<string, Kept>,
  answer: (one: Kept) => Answer,
): Route {
  return {
    method: 'GET',
    path,
    operation: () => 'none',
    body: 'ignored',
    handle: ({ params }) => {
      const one = kept.get(params.id ?? '');
      if (one !== undefined) return answer(one);
      throw new Refusal('unknown-response', `${quoted(params.id ?? '')} not found.`);
    },
  };
}

export const storageDeletionFaults: readonly Fault[] = [
  ...planted({
    'delete.answers-404': seam(
      'encode',
      'status',
      (native) => (kind, status, context) =>
        kind === 'responses.deleted' ? 404 : native(kind, status, context),
    ),
    'delete.says-false': bodies('responses.deleted', setting('deleted', false)),
    'delete.no-id': bodies('responses.deleted', dropping('id')),
    'delete.still-there-recover': wrong('isNotDeleted', { operation: 'recover' }),
    'delete.still-there-delete': (seams) => {
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
    'delete.deletes-all': everythingDeleted,
    'delete.runs-on': () => ({ policy: { deleteStops: () => false } }),
    'delete.runs-on-in-us': inUs(tighten('deleteStops', () => true)),
    'delete.runs-on-unseen': together(buffered, runsOnInLedger),
    'delete.answered-at-the-end': handledAtTheEnd('responses.delete'),
    'delete.foreground-runs-on': tighten('deleteStops', ({ background }) => !background),
    'delete.ends-the-conversation': tighten('isNotDeleted', ({ operation, record, call }) => {
      const previous = record.turn?.parts.request.previousResponseId ?? null;
      const isParentGone = call.gateway.store.peek(previous ?? '')?.deleted === true;
      return operation === 'continue' && previous !== null && isParentGone;
    }),
    'delete.takes-continuations': tighten('isNotDeleted', ({ record, call }) => {
      const previous = record.turn?.parts.request.previousResponseId ?? null;
      return previous !== null && call.gateway.store.peek(previous)?.deleted === true;
    }),
  }),
  ...each(['lookup', 'input-items', 'continue', 'continue-websocket', 'cancel'], (operation) => ({
    'delete.still-there-{}': wrong('isNotDeleted', { operation }),
  })),
  ...each(['stream', 'websocket', 'continuation'] as const, (way) => ({
    'delete.stays-made-by-{}': madeBy(creationModes[way], staying),
  })),
  ...each(Object.keys(creationModes) as (keyof typeof creationModes)[], (way) => ({
    'delete.refused-made-by-{}': madeBy(creationModes[way], (isOne) =>
      tighten('isSameUser', ({ operation, record }) => operation === 'delete' && isOne(record)),
    ),
  })),
  ...planted({
    'delete.call-stays': madeBy(
      ({ body }) => Object(body.tool_choice) === body.tool_choice,
      staying,
    ),
    'delete.refused-for-call': madeBy(
      ({ body }) => Object(body.tool_choice) === body.tool_choice,
      (isOne) =>
        tighten('isSameUser', ({ operation, record }) => operation === 'delete' && isOne(record)),
    ),
    'delete.stays-made-by-background': stayingBackground(true),
    'delete.only-stops-running': stayingBackground(false),
    'delete.connection-remembers': remembering(creationModes.websocket, (made) =>
      together(
        tighten('deleteRemovesContent', ({ id }) => made.has(id)),
        relax(
          'isNotDeleted',
          ({ record, call }) => made.get(record.id)?.requestId === call.requestId,
        ),
      ),
    ),
    'store.unstored-stream-continued': kept(
      ({ body, operation }) => operation === 'responses.create' && body.stream === true,
      ['continue'],
    ),
    'store.unstored-turn-found': kept(creationModes.websocket, ['lookup']),
  }),
  ...each(asked, (operation) => ({
    'store.unstored-continuation-{}': kept(creationModes.continuation, [operation]),
  })),
  ...planted({
    'storage.message-as-message': keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, ({ message: body }) => ({
          kind: 'messages.message',
          body,
        })),
      ]),
    ),
    'storage.message-as-response': keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, ({ message: body }) => ({
          kind: 'responses.response',
          body: {
            id: body.id,
            object: 'response',
            created_at: 1_800_000_000,
            status: 'completed',
            model: body.model,
            output: [
              {
                id: body.id,
                type: 'message',
                status: 'completed',
                role: 'assistant',
                content: [],
              },
            ],
          },
        })),
      ]),
    ),
    'storage.message-continued': keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const { previous_response_id: previous, ...body } = call.body;
        const known = typeof previous === 'string' && kept.has(previous);
        return handle(known ? { ...call, body } : call, key);
      }),
    ),
    'storage.message-shown': keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', inputOf(one));
        }),
      ]),
    ),
    'storage.message-shown-as-response': keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', inputOf(one));
        }),
      ]),
    ),
    'storage.message-shown-to-continue': keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const one = kept.get(String(call.body.previous_response_id));
        if (one === undefined) return handle(call, key);
        throw new Refusal('unknown-previous-response', inputOf(one));
      }),
    ),
  }),
  ...each(states, (state) => ({
    'state.{}-unread': inState(state, (isOne) =>
      tighten('isStored', ({ operation, record }) => operation === 'input-items' && isOne(record)),
    ),
  })),
  ...each(['cancelled', 'cut-background', 'grandchild', 'orphan'], (state) => ({
    'state.{}-stays': inState(state, staying),
  })),
  ...each(['cut-stream', 'cut-turn', 'grandchild', 'orphan'], (state) => ({
    'state.{}-cancelled': inState(state, (isOne) => relax('cancellable', isOne)),
  })),
  ...planted({
    'state.cut-background-recovered': inState('cut-background', (isOne) =>
      together(
        tighten('deleteRemovesContent', isOne),
        relax('isNotDeleted', ({ operation, record }) => operation === 'recover' && isOne(record)),
      ),
    ),
  }),
];
