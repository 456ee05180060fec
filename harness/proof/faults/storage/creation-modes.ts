import { isArray, isObject, type StoredOperation } from '../../../reference/index.ts';
import { creationModes, madeBy } from '../../decisions.ts';
import { set } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import { bodies, type Override, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Responses of one creation mode that their owner cannot get, or only in part.

const furtherModes = ['stream', 'background', 'background-stream', 'websocket', 'continuation'];

const lostFaults: readonly Fault[] = [
  ...each(['one-body', ...furtherModes], (creation) => ({
    'store.continue-lost-made-by-{}': unfound('continue', creation),
    'store.continue-websocket-lost-made-by-{}': unfound('continue-websocket', creation),
    'store.input-items-lost-made-by-{}': unfound('input-items', creation),
  })),
  ...each(furtherModes, (creation) => ({
    'store.input-items-empty-made-by-{}': wrong('input-items.data', { creation }),
  })),
];

function unfound(operation: StoredOperation, creation: string): Override {
  return wrong('isSameUser.denies', { operation, creation });
}

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

export const storageCreationModesFaults: readonly Fault[] = [...lostFaults, ...otherFaults];
