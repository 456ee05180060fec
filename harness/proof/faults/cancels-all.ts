import type { Defect } from '../../reference/seams.ts';
import type { Fault } from './fault.ts';

// A cancel that reaches further than the response that it names.

/** UPDATE … WHERE user = …: only of what is not streamed, so that not every other check is in its way. */
const allCancelled: Defect['override'] = ({ encode, policy }) => {
  const given = new Set<string>();
  return {
    encode: {
      id: (prefix, call) => {
        const id = encode.id(prefix, call);
        if (call.body.background === true && call.body.stream !== true) given.add(id);
        return id;
      },
    },
    policy: {
      cancelStops: (record, call) => {
        for (const id of given) {
          const other = call.gateway.store.peek(id);
          if (other?.owner === record.owner) other.turn?.cancel();
        }
        return policy.cancelStops(record, call);
      },
    },
  };
};

export const cancelsAllFaults: readonly Fault[] = [
  {
    id: 'cancel.cancels-all',
    what: 'Cancelling one response cancels all that the user has running, but for their streams.',
    breaks: ['background/cancel.leaves-others'],
    // Whoever follows such a run at that time finds it cancelled.
    mayAlso: [
      'access/owners',
      'access/permissions.lookup-needs-model:cancel',
      'access/permissions.running-needs-model',
      'access/regions',
    ],
    override: allCancelled,
  },
];
