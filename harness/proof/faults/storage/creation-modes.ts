import { type Call, isArray, isObject, type StoredOperation } from '../../../reference/index.ts';
import { creationModes, madeBy, tighten } from '../../decisions.ts';
import { set } from '../../editing.ts';
import { bodies, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Responses of one creation mode that their owner does not get, or not whole.

const modes: Readonly<Record<string, (created: Call) => boolean>> = {
  'one-body': ({ body, operation }) =>
    operation === 'responses.create' &&
    body.stream !== true &&
    body.background !== true &&
    body.previous_response_id === undefined,
  ...creationModes,
  'background-stream': ({ body }) => body.background === true && body.stream === true,
};

/** The row that breaks where an operation does not reach what was made so. */
const rows = [
  ['continue', 'storage/continuation.from-each-mode'],
  ['continue-websocket', 'storage/continuation.over-websocket-from-each-mode'],
  ['input-items', 'storage/responses.read-by-creation-mode'],
] as const satisfies readonly (readonly [StoredOperation, string])[];

const lostFaults: readonly Fault[] = Object.entries(modes).flatMap(([mode, fits]) =>
  rows.map(
    ([operation, row]): Fault => ({
      id: `store.${operation}-lost-made-by-${mode}`,
      what: `The operation ${operation} does not find what was made by ${mode}.`,
      breaks: [`${row}:${mode}`],
      override: madeBy(fits, (isOne) =>
        tighten('isStored', (access) => access.operation === operation && isOne(access.record)),
      ),
    }),
  ),
);

const emptyFaults: readonly Fault[] = each(
  Object.entries(modes).filter(([mode]) => mode !== 'one-body'),
  ([, fits]) => ({
    'store.input-items-empty-made-by-{0}': madeBy(fits, (isOne) =>
      bodies('responses.input-items', (body, { record }) =>
        record !== null && isOne(record) ? { ...body, data: [], has_more: false } : body,
      ),
    ),
  }),
);

const otherFaults: readonly Fault[] = planted({
  'store.input-items-of-another-in-us': together(
    madeBy(creationModes.stream, (isOne) =>
      bodies('responses.input-items', (body, { record, call }) => {
        const isThere = call.gateway.region === 'us' && record !== null && isOne(record);
        if (!isThere || !isArray(body.data)) return body;
        const data = body.data.map((item) =>
          isObject(item) ? { ...item, content: [{ type: 'input_text', text: 'Hello.' }] } : item,
        );
        return set(body, 'data', data);
      }),
    ),
  ),
});

export const storageCreationModesFaults: readonly Fault[] = [
  ...lostFaults,
  ...emptyFaults,
  ...otherFaults,
];
