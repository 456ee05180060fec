import type { Seams } from '../../reference/index.ts';
import { relax, remembering, tighten } from '../decisions.ts';
import { set } from '../editing.ts';
import { bodies, type Override, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { planted } from './planted.ts';

// States that are reverted or do not last, which the lookups at the end of a run show. Malformed input follows all
// other requests, so that it reliably tells these gateways that the end is near, even on a busy machine.

/** Returns an override that knows if the end of a run is near. */
function late(override: (isLate: () => boolean) => Override): Override {
  return (seams) => {
    let hasCome = false;
    const insists: Seams['policy']['insists'] = (refusal, call) => {
      hasCome ||= refusal.reason === 'malformed-json';
      return seams.policy.insists(refusal, call);
    };
    const policy = { ...seams.policy, insists };
    const overrides = override(() => hasCome)({ ...seams, policy });
    return { ...overrides, policy: { insists, ...overrides.policy } };
  };
}

export const lastLookFaults: readonly Fault[] = planted({
  'last-look.deleted-comes-back': late((isLate) =>
    together(
      tighten('deleteRemovesContent', () => true),
      relax('isNotDeleted', ({ operation }) => isLate() && operation === 'lookup'),
    ),
  ),
  'last-look.cancelled-comes-back': late((isLate) =>
    bodies('responses.response', (body, { record, call }) => {
      const isBack = record?.turn?.status === 'cancelled' && isLate();
      return isBack && call.operation === 'responses.lookup'
        ? set(body, 'status', 'completed')
        : body;
    }),
  ),
  'last-look.third-turn-vanishes': late((isLate) =>
    remembering(
      ({ body }, prefix) => prefix === 'resp_' && typeof body.previous_response_id === 'string',
      (made) =>
        tighten('isStored', ({ record: { id } }) => {
          const previous = made.get(id)?.body.previous_response_id;
          const isThird = typeof previous === 'string' && made.has(previous);
          return isThird && isLate();
        }),
    ),
  ),
  'last-look.unstored-comes-back': late((isLate) =>
    together(
      relax('keepsContent', () => true),
      relax('isStored', ({ operation }) => isLate() && operation === 'lookup'),
    ),
  ),
  'last-look.denied-comes-open': late((isLate) =>
    relax('isSameUser', ({ operation }) => isLate() && operation === 'lookup'),
  ),
});
