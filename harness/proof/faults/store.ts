import type { Call } from '../../reference/call.ts';
import type { ResponseTurn } from '../../reference/responses/turn.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Access } from '../../reference/store.ts';
import { relax, tighten } from '../decisions.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { errorBodies, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { storedOperations } from './regions-owners.ts';
import { lookedUp, type Origin, originOf, responseAt } from './response-bodies.ts';

// What is kept of a response, and what a lookup shows of it.

const text = 'output.0.content.0.text';

/** A copy is kept although `store` is false, and reached by what fits. HTTP only. */
function kept(fits: (access: Access) => boolean): Defect['override'] {
  return together(
    relax('keepsContent', (_execution, call) => call.operation === 'responses.create'),
    relax('isStored', fits),
    // There is no unstored background response that could be cancelled.
    relax('cancellable', (record) => !record.store),
  );
}

/** The response of the path, of which a copy was kept although it was not to be stored. */
function unstoredAt({ gateway, params }: Call, origin: Origin): ResponseTurn | null {
  const { store = true, turn = null } = gateway.store.peek(params.id ?? '') ?? {};
  return !store && turn !== null && originOf(turn) === origin ? turn : null;
}

/** A lookup of what was not stored is denied, and the denial quotes its input. */
function quotingUnstored(origin: Origin): Defect['override'] {
  return together(
    kept(() => false),
    errorBodies(
      ({ call, refusal }) =>
        refusal.reason === 'unknown-response' &&
        call.operation === 'responses.lookup' &&
        unstoredAt(call, origin) !== null,
      (body, { call }) => {
        const { input = [] } = unstoredAt(call, origin)?.parts.request ?? {};
        const asked = memberAt(input, '0.content.0.text') ?? '';
        return set(body, 'error.message', `The answer to "${asked}" was not stored.`);
      },
    ),
  );
}

export const storeFaults: readonly Fault[] = [
  {
    id: 'store.lookup-misses',
    what: 'A response that came in one body is not found by a lookup.',
    breaks: ['storage/responses.lookup-served'],
    override: tighten(
      'isStored',
      ({ operation, record: { turn } }) =>
        operation === 'lookup' && turn !== null && originOf(turn) === 'one-body',
    ),
  },
  {
    id: 'store.lookup-text-cut',
    what: 'A lookup shows the first twenty characters of the text.',
    breaks: ['storage/responses.lookup-equals-created'],
    override: responseAt(lookedUp, 'one-body', (body) =>
      changed(body, text, (whole) => String(whole).slice(0, 20)),
    ),
  },
  {
    id: 'store.lookup-other-id',
    what: 'A lookup shows the id of a copy.',
    breaks: ['storage/responses.lookup-equals-created'],
    override: responseAt(lookedUp, 'one-body', (body) => set(body, 'id', `${body.id}_copy`)),
  },
  {
    id: 'store.lookup-other-status',
    what: 'A lookup says that a finished response is in progress.',
    breaks: ['storage/responses.lookup-equals-created'],
    override: responseAt(lookedUp, 'one-body', (body) => set(body, 'status', 'in_progress')),
  },
  {
    id: 'store.lookup-no-created-at',
    what: 'A lookup does not show when the response was created.',
    breaks: ['storage/responses.lookup-shape'],
    override: responseAt(lookedUp, 'one-body', (body) => without(body, 'created_at')),
  },
  {
    id: 'store.lookup-date-as-text',
    what: 'A lookup shows the date of creation as a text.',
    breaks: ['storage/responses.lookup-shape'],
    override: responseAt(lookedUp, 'one-body', (body) =>
      set(body, 'created_at', new Date(Number(body.created_at) * 1000).toISOString()),
    ),
  },
  {
    id: 'store.denial-quotes-streamed',
    what: 'The denial of a response that was streamed with `store: false` quotes what it was about.',
    breaks: ['storage/responses.false-streamed-denies'],
    override: quotingUnstored('stream'),
  },
  {
    id: 'store.denial-quotes',
    what: 'The denial of a response that came in one body with `store: false` quotes what it was about.',
    breaks: ['storage/responses.false-denies:lookup'],
    override: quotingUnstored('one-body'),
  },
  {
    id: 'store.not-by-default',
    what: 'Without `store`, nothing is stored.',
    breaks: ['storage/responses.omitted-is-stored'],
    override: tighten(
      'keepsContent',
      (execution, call) => call.body.store === undefined && !execution.background,
    ),
  },
  {
    id: 'store.streamed-not-kept',
    what: 'A response that was streamed is not stored.',
    breaks: ['storage/responses.stream-is-stored'],
    override: tighten(
      'keepsContent',
      (execution, call) =>
        call.operation === 'responses.create' && execution.stream && !execution.background,
    ),
  },
  {
    id: 'store.streamed-last-piece-lost',
    what: 'The last piece of a streamed text is not stored.',
    breaks: ['storage/responses.stream-is-stored'],
    override: responseAt(lookedUp, 'stream', (body, turn) =>
      set(body, text, turn.run.pieces.entries.slice(0, -1).join('')),
    ),
  },
  ...storedOperations.map(
    (operation): Fault => ({
      id: `store.false-kept-${operation}`,
      what: `The operation ${operation} reaches a response with \`store: false\`.`,
      breaks: [`storage/responses.false-denies:${operation}`],
      override: kept(
        (access) =>
          access.operation === operation &&
          // Those that were streamed are a requirement, and a fault, of their own.
          (!['lookup', 'continue'].includes(operation) ||
            access.record.turn?.parts.request.stream === false),
      ),
    }),
  ),
  {
    id: 'store.false-streamed-kept',
    what: 'A response that was streamed with `store: false` can be looked up.',
    breaks: ['storage/responses.false-streamed-denies'],
    override: kept(
      ({ operation, record: { turn } }) =>
        operation === 'lookup' && turn !== null && originOf(turn) === 'stream',
    ),
  },
];
