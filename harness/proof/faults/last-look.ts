import type { StoredResponse } from '../../reference/store.ts';
import { relax, remembering, tighten } from '../decisions.ts';
import { set } from '../editing.ts';
import { bodies, together } from '../planting.ts';
import type { Fault } from './fault.ts';

// States that come back when nobody has asked for a while, and what does not last: at the end of a run it is
// looked at once more.

/** Milliseconds in which a run asks for the same thing again, if it does so at all. */
const whileMs = 900;

/**
 * Whether something was left alone for a while since it was asked for; from then on it is so.
 *
 * @param least how often it was asked for before
 */
function leftAlone(least = 1): (what: string) => boolean {
  const asked = new Map<string, { readonly at: number; readonly times: number }>();
  const alone = new Set<string>();
  return (what) => {
    const now = performance.now();
    const { at, times } = asked.get(what) ?? { at: now, times: 0 };
    if (times >= least && now - at >= whileMs) alone.add(what);
    asked.set(what, { at: now, times: times + 1 });
    return alone.has(what);
  };
}

export const lastLookFaults: readonly Fault[] = [
  {
    id: 'last-look.deleted-comes-back',
    what: 'A deleted response can be looked up again when it was left alone for a while.',
    breaks: ['storage/deletion.denied-at-the-end'],
    override: (seams) => {
      const comesBack = leftAlone();
      return together(
        tighten('deleteRemovesContent', () => true),
        ({ policy }) => ({
          policy: {
            deleteDenies: (record, call) => {
              comesBack(record.id);
              return policy.deleteDenies(record, call);
            },
          },
        }),
        relax(
          'isNotDeleted',
          ({ record, operation }) => comesBack(record.id) && operation === 'lookup',
        ),
      )(seams);
    },
  },
  {
    id: 'last-look.cancelled-comes-back',
    what: 'A cancelled run is shown as `completed` when it was left alone for a while.',
    breaks: ['background/cancel.cancelled-at-the-end'],
    override: (seams) => {
      // On a busy machine, what follows the cancel may take its time.
      const comesBack = leftAlone(3);
      const isCancelled = (record: StoredResponse | null): record is StoredResponse =>
        record?.turn?.status === 'cancelled';
      return bodies('responses.response', (body, { record, call }) => {
        const isBack = isCancelled(record) && comesBack(record.id);
        return isBack && call.operation === 'responses.lookup'
          ? set(body, 'status', 'completed')
          : body;
      })(seams);
    },
  },
  {
    id: 'last-look.third-turn-vanishes',
    what: 'The third turn of a conversation is gone a while after it was made.',
    breaks: ['storage/responses.there-at-the-end'],
    shownBy: ['storage/continuation.branches'],
    override: remembering(
      ({ body }, prefix) => prefix === 'resp_' && typeof body.previous_response_id === 'string',
      (made) =>
        tighten('isStored', ({ record: { id, retainedFrom }, call: { gateway } }) => {
          const previous = made.get(id)?.body.previous_response_id;
          const isThird = typeof previous === 'string' && made.has(previous);
          return isThird && gateway.now() - retainedFrom > whileMs;
        }),
    ),
  },
  {
    id: 'last-look.unstored-comes-back',
    what: 'A response with `store: false` can be looked up when it was left alone for a while.',
    breaks: ['storage/responses.unstored-at-the-end'],
    shownBy: ['storage/responses.false-denies'],
    override: (seams) => {
      const comesBack = leftAlone();
      return together(
        relax('keepsContent', () => true),
        relax(
          'isStored',
          ({ record, operation }) => comesBack(record.id) && operation === 'lookup',
        ),
      )(seams);
    },
  },
  {
    id: 'last-look.denied-comes-open',
    what: 'Another user can look up a response when it was left alone for a while since its denial.',
    breaks: ['access/owners.denied-at-the-end'],
    override: ({ policy }) => {
      const denied = new Set<string>();
      const comesOpen = leftAlone();
      return {
        policy: {
          isSameUser: (access) => {
            const { record, operation } = access;
            const isOwn = policy.isSameUser(access);
            if (!isOwn) denied.add(record.id);
            // Whoever asks for it, and for whatever, it is not alone.
            const isOpen = denied.has(record.id) && comesOpen(record.id);
            return isOwn || (isOpen && operation === 'lookup');
          },
        },
      };
    },
  },
];
