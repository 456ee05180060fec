import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import {
  after,
  both,
  child,
  continued,
  deep,
  inRow,
  parent,
  type Situation,
} from './situations.ts';
import type { Witness } from './witness.ts';
import {
  anotherInput,
  cancelIgnored,
  deletedServed,
  deletionUndone,
  elsewhereServed,
  eventsRepeated,
  lost,
  noHistory,
  noInputItems,
  noOutput,
  otherUsage,
  strangerServed,
  unpermittedServed,
  type Wrong,
} from './wrongs.ts';

// What goes wrong only when something has been asked for before, often enough.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('after', situation, wrong, witness);

export const afterFaults: readonly HistoryFault[] = [
  planted(
    both(deep(1), inRow('delete', 'delete')),
    deletedServed('lookup'),
    'create; continue; delete; delete; lookup',
  ),
  planted(
    both(deep(1), after(2, 'delete')),
    deletedServed('continue'),
    'create; continue; delete; delete; continue',
  ),
  planted(inRow('delete', 'delete'), deletedServed('lookup'), 'create; delete; delete; lookup'),
  planted(inRow('delete', 'cancel'), deletedServed('lookup'), 'create; delete; cancel; lookup'),
  planted(
    inRow('delete', 'recover', 'delete'),
    deletedServed('lookup'),
    'create; delete; recover; delete; lookup',
  ),
  planted(
    inRow('delete', 'compact'),
    deletedServed('continue'),
    'create; delete; compact; continue',
  ),
  planted(
    both(deep(1), after(2, 'lookup', { served: false })),
    strangerServed('lookup'),
    'create; continue; lookup@otherUser; lookup@otherUser; lookup@otherUser',
  ),
  planted(
    both(deep(1), after(1, 'compact', { served: true })),
    noInputItems,
    'create; continue; compact; input-items',
  ),
  planted(
    both(deep(1), after(2, 'recover', { served: true })),
    eventsRepeated,
    'create; continue:background-stream; recover; recover; recover',
  ),
  planted(deep(2), lost('input-items'), 'create; continue; continue; input-items'),
  planted(deep(2), lost('continue'), 'create; continue; continue; continue'),
  planted(deep(3), lost('continue'), 'create; continue; continue; continue; continue'),
  planted(deep(2), noInputItems, 'create; continue; continue; input-items'),
  planted(deep(2), strangerServed('lookup'), 'create; continue; continue; lookup@otherUser'),
  planted(deep(2), strangerServed('continue'), 'create; continue; continue; continue@otherUser'),
  planted(deep(2), unpermittedServed('lookup'), 'create; continue; continue; lookup@restricted'),
  planted(deep(2), elsewhereServed('lookup'), 'create; continue; continue; lookup@owner/1'),
  planted(deep(2), deletedServed('continue'), 'create; continue; continue; delete; continue'),
  planted(deep(2), anotherInput, 'create; continue; continue; input-items'),
  planted(deep(2), noHistory, 'create; continue; continue; continue'),
  planted(deep(1), cancelIgnored, 'create; continue:background; cancel; lookup'),
  planted(
    child('delete'),
    strangerServed('lookup'),
    'create; continue; delete#1; lookup#0@otherUser',
  ),
  planted(child('cancel'), lost('lookup'), 'create; continue:background; cancel#1; lookup#0'),
  planted(
    child('cancel'),
    deletionUndone,
    'create; continue:background; cancel#1; delete#0; lookup#0',
  ),
  planted(parent('delete'), lost('continue'), 'create; continue; delete#0; continue#1'),
  planted(parent('cancel'), lost('lookup'), 'create:background; cancel; continue; lookup'),
  planted(deep(3), lost('lookup'), 'create; continue; continue; continue; lookup'),
  planted(deep(3), noOutput, 'create; continue; continue; continue; lookup'),
  planted(deep(3), otherUsage, 'create; continue; continue; continue; lookup'),
  planted(
    both(deep(1), continued(2)),
    deletionUndone,
    'create; continue; continue#1; continue#1; delete#1; lookup#1',
  ),
];
