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
import { creationModes, decide, madeBy, relax, remembering, tighten } from '../../decisions.ts';
import { memberAt, set, without } from '../../editing.ts';
import {
  bodies,
  buffered,
  creationModeOf,
  handledAtTheEnd,
  handling,
  moreRoutes,
  storedOperations,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Removing a response.

/**
 * Shows a deleted run as running in the first look at the ledger. On a busy machine, the run itself may
 * have ended before.
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

/** Deleting only marks the response, and one operation ignores the mark. */
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

/**
 * A deletion hides all responses of the user from lookups. Only those that came in one body, so that
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

const deleteFaults: readonly Fault[] = [
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
    what: 'Deleting only marks the response, and a second deletion shows its input.',
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
  {
    id: 'delete.runs-on-unseen',
    what: 'A deleted response runs to its end, shown at the second look at the ledger; every stream comes in one piece.',
    breaks: ['storage/deletion.cancels-running:background'],
    override: together(buffered, runsOnInLedger),
  },
  {
    id: 'delete.answered-at-the-end',
    what: 'A deletion is answered when the run has ended by itself, and stops nothing.',
    breaks: ['storage/deletion.cancels-running'],
    override: handledAtTheEnd('responses.delete'),
  },
  {
    id: 'delete.foreground-runs-on',
    what: 'A deleted response that did not run in the background runs to its end.',
    breaks: ['storage/deletion.cancels-running:foreground'],
    override: tighten('deleteStops', ({ background }) => !background),
  },
  {
    id: 'delete.takes-continuations',
    what: 'With a response, those that continued it are deleted.',
    breaks: ['storage/deletion.leaves-continuation'],
    override: tighten('isNotDeleted', ({ record, call }) => {
      const previous = record.turn?.parts.request.previousResponseId ?? null;
      return previous !== null && call.gateway.store.peek(previous)?.deleted === true;
    }),
  },
];

// Deletions that miss responses of some creation modes, and unstored responses that are kept.

const asked: readonly StoredOperation[] = ['lookup', 'continue'];

/** Deleted responses stay, and two operations reach them. */
function staying(isOne: (record: StoredResponse) => boolean): Defect['override'] {
  return together(
    tighten('deleteRemovesContent', isOne),
    relax('isNotDeleted', ({ operation, record }) => asked.includes(operation) && isOne(record)),
  );
}

/** Lets deleted background responses stay, depending on whether their run had ended before the deletion. */
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

/** Kept although `store` is false, where it was made by such a call; these operations reach it. */
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

const afterwards = [
  'storage/deletion.denies-afterwards:lookup',
  'storage/deletion.denies-afterwards:continue',
];

const deletedModeFaults: readonly Fault[] = [
  ...(['stream', 'websocket', 'continuation'] as const).map(
    (way): Fault => ({
      id: `delete.stays-made-by-${way}`,
      what: `A response that was made by ${way} can be looked up and continued after its deletion.`,
      breaks: afterwards,
      override: madeBy(creationModes[way], staying),
    }),
  ),
  {
    id: 'delete.stays-made-by-background',
    what: 'A response that has run in the background can be looked up and continued after its deletion.',
    breaks: afterwards,
    override: stayingBackground(true),
  },
  {
    id: 'delete.only-stops-running',
    what: 'A response that is deleted while it runs is stopped, and can still be looked up and continued.',
    breaks: afterwards,
    override: stayingBackground(false),
  },
  {
    id: 'delete.connection-remembers',
    what: 'A deleted response can be continued on the connection that made it.',
    breaks: ['storage/deletion.denied-on-its-connection'],
    override: remembering(creationModes.websocket, (made) =>
      together(
        tighten('deleteRemovesContent', ({ id }) => made.has(id)),
        relax(
          'isNotDeleted',
          ({ record, call }) => made.get(record.id)?.requestId === call.requestId,
        ),
      ),
    ),
  },
  {
    id: 'store.unstored-stream-continued',
    what: 'A stream with `store: false` is kept, and can be continued.',
    breaks: ['storage/responses.false-denies:continue'],
    override: kept(
      ({ body, operation }) => operation === 'responses.create' && body.stream === true,
      ['continue'],
    ),
  },
  {
    id: 'store.unstored-turn-found',
    what: 'A WebSocket turn with `store: false` is kept, and can be looked up.',
    breaks: ['storage/responses.false-denies:lookup'],
    override: kept(creationModes.websocket, ['lookup']),
  },
  ...asked.map(
    (operation): Fault => ({
      id: `store.unstored-continuation-${operation}`,
      what: `A continuation with \`store: false\` is kept, and reached by the operation ${operation}.`,
      breaks: [`storage/responses.false-denies:${operation}`],
      override: kept(creationModes.continuation, [operation]),
    }),
  ),
];

// A gateway that keeps messages, which the Messages endpoint does not offer.

/** A message with its request. */
interface Kept {
  readonly request: JsonObject;
  readonly message: JsonObject;
}

/** However the message was made. */
const notOffered = (way: string): readonly string[] =>
  ['one-body', 'stream', 'asked-to-store'].map(
    (made) => `storage/messages.not-offered:${way}.${made}`,
  );

const storageFaults: readonly Fault[] = [
  {
    id: 'storage.message-as-message',
    what: 'A message can be looked up at /v1/messages/<id>.',
    breaks: notOffered('get-message'),
    override: keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, ({ message: body }) => ({
          kind: 'messages.message',
          body,
        })),
      ]),
    ),
  },
  {
    id: 'storage.message-as-response',
    what: 'A message is stored like a response, and can be looked up as one.',
    breaks: notOffered('get-response'),
    override: keeping((kept) =>
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
  },
  {
    id: 'storage.message-continued',
    what: 'The id of a message is taken as `previous_response_id`.',
    breaks: notOffered('previous-response-id'),
    override: keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const { previous_response_id: previous, ...body } = call.body;
        const known = typeof previous === 'string' && kept.has(previous);
        return handle(known ? { ...call, body } : call, key);
      }),
    ),
  },
  {
    id: 'storage.message-shown',
    what: 'The refusal of a lookup at /v1/messages/<id> shows the input of the message.',
    breaks: notOffered('get-message'),
    override: keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', inputOf(one));
        }),
      ]),
    ),
  },
  {
    id: 'storage.message-shown-as-response',
    what: 'The refusal to look a message up as a response shows its input.',
    breaks: notOffered('get-response'),
    override: keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', inputOf(one));
        }),
      ]),
    ),
  },
  {
    id: 'storage.message-shown-to-continue',
    what: 'The refusal to continue a message shows its input.',
    breaks: notOffered('previous-response-id'),
    override: keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const one = kept.get(String(call.body.previous_response_id));
        if (one === undefined) return handle(call, key);
        throw new Refusal('unknown-previous-response', inputOf(one));
      }),
    ),
  },
];

function inputOf({ request }: Kept): string {
  return `Nobody may read the answer to ${JSON.stringify(request.messages ?? null)}.`;
}

/** Keeps the messages of the gateway, and lets a second override read them. */
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
  ...deleteFaults,
  ...deletedModeFaults,
  ...storageFaults,
];
