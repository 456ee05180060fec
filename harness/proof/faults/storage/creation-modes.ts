import {
  isArray,
  isObject,
  type StoredOperation,
  type StoredResponse,
} from '../../../reference/index.ts';
import { creationModes, madeBy, tighten } from '../../decisions.ts';
import { set } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import { bodies, type Override, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Responses of one creation mode that their owner cannot get, or only in part.

const furtherModes = ['stream', 'background', 'background-stream', 'websocket', 'continuation'];

function unfound(operation: StoredOperation, creation: string): Override {
  return wrong('isSameUser.denies', { operation, creation });
}

type IsOne = (record: StoredResponse) => boolean;
type OfContent = (override: (isOne: IsOne) => Override) => Override;

/** Contents of a response, modes whose continuation and list show the fault. The limit shows only in the response. */
const contents: readonly (readonly [string, string, string, OfContent])[] = [
  [
    'truncated',
    'stream',
    'background-stream',
    (override) => override(({ turn }) => turn?.status === 'incomplete'),
  ],
  [
    'tools',
    'one-body',
    'background',
    (override) => madeBy(({ body }) => isArray(body.tools), override),
  ],
  [
    'items',
    'background-stream',
    'stream',
    (override) => madeBy(({ body }) => isArray(body.input), override),
  ],
];

export const storageCreationModesFaults: readonly Fault[] = [
  ...each(['one-body', ...furtherModes], (creation) => ({
    'store.continue-lost-made-by-{}': unfound('continue', creation),
    'store.continue-websocket-lost-made-by-{}': unfound('continue-websocket', creation),
    'store.input-items-lost-made-by-{}': unfound('input-items', creation),
  })),
  ...each(furtherModes, (creation) => ({
    'store.input-items-empty-made-by-{}': wrong('input-items.data', { creation }),
  })),
  ...each(contents, ([, , , madeOf]) => ({
    'store.continue-refused-of-{0}': madeOf((isOne) =>
      tighten('isSameUser', ({ operation, record }) => operation === 'continue' && isOne(record)),
    ),
    'store.input-items-empty-of-{0}': madeOf((isOne) =>
      bodies('responses.input-items', (body, { record }) =>
        record !== null && isOne(record) ? { ...body, data: [], has_more: false } : body,
      ),
    ),
  })),
  ...planted({
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
  }),
];
