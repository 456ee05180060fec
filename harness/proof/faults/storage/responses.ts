import {
  type Access,
  type Answer,
  type Call,
  type Defect,
  isArray,
  type JsonObject,
  type Operation,
  Refusal,
  type ResponseTurn,
} from '../../../reference/index.ts';
import { creationModes, madeBy, relax, remembering, tighten } from '../../decisions.ts';
import { changed, dropping, memberAt, set, setting } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import {
  bodies,
  type CreationMode,
  creationModeOf,
  errorBodies,
  handling,
  lookedUp,
  responseAt,
  responseIn,
  storedOperations,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

const inLookups = responseIn(lookedUp, 'one-body');
const inStreamLookups = responseIn(lookedUp, 'stream');

// Faults in the stored copy of a response, and in its lookup.

const text = 'output.0.content.0.text';

/** Keeps a copy despite `store: false`, accessible where `fits` returns true. HTTP only. */
function kept(fits: (access: Access) => boolean): Defect['override'] {
  return together(
    relax('keepsContent', (_execution, call) => call.operation === 'responses.create'),
    relax('isStored', fits),
    // Otherwise an unstored background response could not be cancelled.
    relax('cancellable', (record) => !record.store),
  );
}

/** Returns the unstored response of the path, of which a copy was kept. */
function unstoredAt({ gateway, params }: Call, mode: CreationMode): ResponseTurn | null {
  const { store = true, turn = null } = gateway.store.peek(params.id ?? '') ?? {};
  return !store && turn !== null && creationModeOf(turn) === mode ? turn : null;
}

/** Shows the input in the denial of an unstored response. */
function denialShowsInput(mode: CreationMode): Defect['override'] {
  return together(
    kept(() => false),
    errorBodies(
      ({ call, refusal }) =>
        refusal.reason === 'unknown-response' &&
        call.operation === 'responses.lookup' &&
        unstoredAt(call, mode) !== null,
      (body, { call }) => {
        const { input = [] } = unstoredAt(call, mode)?.parts.request ?? {};
        const asked = memberAt(input, '0.content.0.text') ?? '';
        return set(body, 'error.message', `The answer to "${asked}" was not stored.`);
      },
    ),
  );
}

// Lookups that differ from the creation.

function continued(change: (body: JsonObject) => JsonObject): Fault['override'] {
  return bodies('responses.response', (body, { call, record }) => {
    const goesOn = record?.turn?.parts.request.previousResponseId != null;
    return goesOn && call.operation === 'responses.lookup' ? change(body) : body;
  });
}

// Stored content that is kept too briefly, or forever.

const day = 24 * 60 * 60 * 1000;

/** Keeps matching responses for only `days` days. */
function keptFor(days: number, fits: (access: Access) => boolean): Defect['override'] {
  return tighten('isWithinRetention', (access) => fits(access) && !isYoungerThan(days, access));
}

function isYoungerThan(days: number, { call, record }: Access): boolean {
  return call.gateway.now() - record.retainedFrom < days * day;
}

const modes: Readonly<Record<string, (created: Call) => boolean>> = {
  stream: creationModes.stream,
  background: ({ body }) => body.background === true,
  websocket: creationModes.websocket,
};

// Ids that do not exist.

/** Remembers the ids of the gateway, so that unstored and deleted responses stay denied. */
const rememberingAll = remembering.bind(null, () => true);

/** True for an unused id of normal length: oversized ids stay refused. */
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

/** Treats a continuation of an unknown response as a new conversation. */
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

export const storageResponsesFaults: readonly Fault[] = [
  ...planted({
    'store.lookup-misses': tighten(
      'isStored',
      ({ operation, record: { turn } }) =>
        operation === 'lookup' && turn !== null && creationModeOf(turn) === 'one-body',
    ),
    'store.lookup-text-cut': inLookups((body) =>
      changed(body, text, (whole) => String(whole).slice(0, 20)),
    ),
    'store.lookup-other-id': inLookups((body) => set(body, 'id', `${body.id}_copy`)),
    'store.lookup-other-status': inLookups(setting('status', 'in_progress')),
    'store.lookup-no-created-at': inLookups(dropping('created_at')),
    'store.lookup-date-as-text': inLookups((body) =>
      set(body, 'created_at', new Date(Number(body.created_at) * 1000).toISOString()),
    ),
    'store.denial-shows-streamed-input': denialShowsInput('stream'),
    'store.denial-shows-input': denialShowsInput('one-body'),
    'store.not-by-default': tighten(
      'keepsContent',
      (execution, call) => call.body.store === undefined && !execution.background,
    ),
    'store.streamed-not-kept': tighten(
      'keepsContent',
      (execution, call) =>
        call.operation === 'responses.create' && execution.stream && !execution.background,
    ),
    'store.streamed-last-piece-lost': responseAt(lookedUp, 'stream', (body, turn) =>
      set(body, text, turn.run.pieces.entries.slice(0, -1).join('')),
    ),
    'store.false-streamed-kept': kept(
      ({ operation, record: { turn } }) =>
        operation === 'lookup' && turn !== null && creationModeOf(turn) === 'stream',
    ),
  }),
  ...each(storedOperations, (operation) => ({
    'store.false-kept-{}': kept(
      (access) =>
        access.operation === operation &&
        // Streamed ones have a separate requirement and fault.
        (!['lookup', 'continue'].includes(operation) ||
          access.record.turn?.parts.request.stream === false),
    ),
  })),
  ...planted({
    'store.lookup-other-date': inLookups((body) =>
      changed(body, 'created_at', (date) => Number(date) - 60),
    ),
    'store.lookup-other-item': inLookups((body) =>
      changed(body, 'output.0.id', (id) => `${id}_copy`),
    ),
    'store.lookup-more-items': inLookups((body) =>
      changed(body, 'output', (items) => [
        { id: `${body.id}_why`, type: 'reasoning', summary: [] },
        ...(isArray(items) ? items : []),
      ]),
    ),
    'store.lookup-other-kind': inLookups(setting('output.0.type', 'answer')),
    'store.lookup-streamed-other-usage': inStreamLookups((body) =>
      ['usage.output_tokens', 'usage.total_tokens'].reduce(
        (so, count) => changed(so, count, (tokens) => Number(tokens) + 1),
        body,
      ),
    ),
    'store.lookup-streamed-other-model': inStreamLookups(setting('model', 'channel-7')),
    'store.lookup-streamed-never-ends': inStreamLookups(setting('status', 'in_progress')),
    'store.lookup-background-other-limit': responseAt(
      lookedUp,
      'background',
      setting('max_output_tokens', 4_096),
    ),
    'store.lookup-other-call': inLookups(setting('output.0.call_id', '{}')),
    'store.lookup-no-arguments': inLookups(setting('output.0.arguments', '{}')),
    'store.lookup-continued-other-previous': continued((body) =>
      set(body, 'previous_response_id', memberAt(body, 'id') ?? null),
    ),
    'store.lookup-continued-text-cut': continued((body) =>
      changed(body, 'output.0.content.0.text', (whole) => String(whole).slice(0, 5)),
    ),
  }),
  ...planted({
    'store.kept-longer': relax('isWithinRetention', (access) => isYoungerThan(395, access)),
    'store.kept-a-week': keptFor(7, () => true),
    'store.kept-four-weeks': keptFor(28, () => true),
    'store.kept-for-ever-compact': wrong('isWithinRetention', { operation: 'compact' }),
    'store.kept-for-ever-input-tokens': wrong('isWithinRetention', { operation: 'input-tokens' }),
  }),
  ...each(['input-items', 'continue'] as const, (operation) => ({
    'store.kept-a-week-for-{}': keptFor(7, (access) => access.operation === operation),
  })),
  ...each(Object.entries(modes), ([, fits]) => ({
    'store.kept-a-week-made-by-{0}': madeBy(fits, (isOne) =>
      keptFor(7, ({ record }) => isOne(record)),
    ),
  })),
  ...each(
    ['lookup', 'input-items', 'continue', 'continue-websocket', 'recover', 'cancel'],
    (operation) => ({
      'store.kept-for-ever-{}': wrong('isWithinRetention', { operation }),
    }),
  ),
  ...planted({
    'unknown-ids.empty-lookup': answered('responses.lookup', (id) => ({
      kind: 'responses.response',
      body: emptyResponse(id, 'completed'),
    })),
    'unknown-ids.empty-input-items': answered('responses.input-items', () => ({
      kind: 'responses.input-items',
      body: { object: 'list', data: [], first_id: null, last_id: null, has_more: false },
    })),
    'unknown-ids.empty-recovery': answered('responses.recover', () => ({
      kind: 'responses.stream',
      async *events() {},
    })),
    'unknown-ids.cancelled': answered('responses.cancel', (id) => ({
      kind: 'responses.response',
      body: emptyResponse(id, 'cancelled'),
    })),
    'unknown-ids.deleted': answered('responses.delete', (id) => ({
      kind: 'responses.deleted',
      body: { id, object: 'response', deleted: true },
    })),
    'unknown-ids.continued': ignored('responses.create'),
    'unknown-ids.continued-over-websocket': ignored('responses.websocket'),
  }),
];
