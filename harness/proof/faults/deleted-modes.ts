import type { Call } from '../../reference/call.ts';
import type { Defect } from '../../reference/seams.ts';
import type { StoredOperation, StoredResponse } from '../../reference/store.ts';
import { decide, relax, remembering, tighten } from '../decisions.ts';
import { together } from '../planting.ts';
import { madeBy } from './creation-modes.ts';
import type { Fault } from './fault.ts';

// Deletions that forget what no plain request has made, and what was never stored and is kept all the same.

const asked: readonly StoredOperation[] = ['lookup', 'continue'];

/** What is deleted stays where it is, and two operations reach it. */
function staying(isOne: (record: StoredResponse) => boolean): Defect['override'] {
  return together(
    tighten('deleteRemovesContent', isOne),
    relax('isNotDeleted', ({ operation, record }) => asked.includes(operation) && isOne(record)),
  );
}

const ways: Readonly<Record<string, (created: Call) => boolean>> = {
  stream: ({ body }) => body.stream === true && body.background !== true,
  websocket: ({ operation }) => operation === 'responses.websocket',
  continuation: ({ body, operation }) =>
    typeof body.previous_response_id === 'string' && operation === 'responses.create',
};

/** The same for responses that ran in the background, by whether they had ended when they were deleted. */
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

export const deletedModeFaults: readonly Fault[] = [
  ...Object.entries(ways).map(
    ([way, fits]): Fault => ({
      id: `delete.stays-made-by-${way}`,
      what: `A response that was made by ${way} can be looked up and continued after its deletion.`,
      breaks: [`storage/deletion.denied-by-creation-mode:${way}`],
      override: madeBy(fits, staying),
    }),
  ),
  {
    id: 'delete.stays-made-by-background',
    what: 'A response that has run in the background can be looked up and continued after its deletion.',
    breaks: ['storage/deletion.denied-by-creation-mode:background'],
    override: stayingBackground(true),
  },
  {
    id: 'delete.only-stops-running',
    what: 'A response that is deleted while it runs is stopped, and can still be looked up and continued.',
    breaks: ['storage/deletion.denied-by-creation-mode:running'],
    override: stayingBackground(false),
  },
  {
    id: 'delete.connection-remembers',
    what: 'A deleted response can be continued on the connection that made it.',
    breaks: ['storage/deletion.denied-by-creation-mode:websocket'],
    override: remembering(
      ({ operation }) => operation === 'responses.websocket',
      (made) =>
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
    breaks: ['storage/responses.false-streamed-denies'],
    override: kept(
      ({ body, operation }) => operation === 'responses.create' && body.stream === true,
      ['continue'],
    ),
  },
  {
    id: 'store.unstored-turn-found',
    what: 'A WebSocket turn with `store: false` is kept, and can be looked up.',
    breaks: ['storage/responses.false-denied-by-creation-mode:websocket'],
    override: kept(({ operation }) => operation === 'responses.websocket', ['lookup']),
  },
  ...asked.map(
    (operation): Fault => ({
      id: `store.unstored-continuation-${operation}`,
      what: `A continuation with \`store: false\` is kept, and reached by the operation ${operation}.`,
      breaks: ['storage/responses.false-denied-by-creation-mode:continuation'],
      override: kept(
        ({ body, operation: created }) =>
          created === 'responses.create' && typeof body.previous_response_id === 'string',
        [operation],
      ),
    }),
  ),
];
