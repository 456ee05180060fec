import { decide, remembering } from '../decisions.ts';
import type { Fault } from './fault.ts';

// A cancel that reaches further than the response that it names.

/** UPDATE … WHERE user = …: only of what is not streamed, so that not every other check is in its way. */
const allCancelled = remembering(
  ({ body }) => body.background === true && body.stream !== true,
  (made) =>
    decide('cancelStops', (native) => (record, call) => {
      for (const id of made.keys()) {
        const other = call.gateway.store.peek(id);
        if (other?.owner === record.owner) other.turn?.cancel();
      }
      return native(record, call);
    }),
);

export const cancelsAllFaults: readonly Fault[] = [
  {
    id: 'cancel.cancels-all',
    what: 'Cancelling one response cancels all that the user has running, but for their streams.',
    breaks: ['background/cancel.leaves-others'],
    override: allCancelled,
  },
];
