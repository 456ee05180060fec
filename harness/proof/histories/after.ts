import { type HistoryFault, planted } from './history-fault.ts';
import { after, deep } from './situations.ts';
import {
  anotherOutput,
  deletedServed,
  eventsRepeated,
  lost,
  noInputItems,
  noOutput,
  strangerServed,
  unpermittedServed,
  unstoredServed,
} from './wrongs.ts';

// What goes wrong only when something has been asked for before, often enough.

export const afterFaults: readonly HistoryFault[] = [
  planted(after(2, 'delete'), deletedServed('lookup'), 'create; delete; delete; lookup'),
  planted(after(2, 'delete'), deletedServed('continue'), 'create; delete; delete; continue'),
  planted(after(2, 'delete'), deletedServed('input-items'), 'create; delete; delete; input-items'),
  planted(
    after(1, 'compact', { served: false }),
    deletedServed('lookup'),
    'create; delete; compact; lookup',
  ),
  planted(
    after(2, 'recover', { served: false }),
    deletedServed('lookup'),
    'create; delete; recover; recover; lookup',
  ),
  planted(
    after(4, 'lookup', { served: true }),
    strangerServed('lookup'),
    'create; lookup; lookup; lookup; lookup; lookup@otherUser',
  ),
  planted(
    after(3, 'lookup', { served: false }),
    strangerServed('lookup'),
    'create; lookup@otherUser; lookup@otherUser; lookup@otherUser; lookup@otherUser',
  ),
  planted(
    after(3, 'lookup', { served: true }),
    unpermittedServed('lookup', 'input-items'),
    'create; lookup; lookup; lookup; lookup@restricted',
  ),
  planted(
    after(2, 'lookup', { served: false }),
    unstoredServed('lookup'),
    'create!; lookup; lookup; lookup',
  ),
  planted(
    after(1, 'compact', { served: true }),
    lost('input-items'),
    'create; compact; input-items',
  ),
  planted(after(1, 'compact', { served: true }), noInputItems, 'create; compact; input-items'),
  planted(
    after(2, 'cancel', { served: true }),
    lost('lookup'),
    'create:background; cancel; cancel; lookup',
  ),
  planted(
    after(2, 'recover', { served: true }),
    eventsRepeated,
    'create:background-stream; recover; recover; recover',
  ),
  planted(deep(3), lost('lookup'), 'create; continue; continue; continue; lookup'),
  planted(deep(3), noOutput, 'create; continue; continue; continue; lookup'),
  planted(
    after(4, 'lookup', { served: true }),
    anotherOutput,
    'create; create; lookup#0; lookup#0; lookup#0; lookup#0; lookup#0',
  ),
];
