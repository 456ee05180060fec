import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import {
  answeredHere,
  both,
  deep,
  inRow,
  otherNode,
  parent,
  type Situation,
} from './situations.ts';
import type { Witness } from './witness.ts';
import {
  deletedServed,
  lost,
  noHistory,
  noInputItems,
  strangerServed,
  type Wrong,
} from './wrongs.ts';

// What goes wrong at one of two nodes only. A balancer sends requests to them by turns.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('node', situation, wrong, witness);

export const nodeFaults: readonly HistoryFault[] = [
  planted(both(deep(2), otherNode), lost('continue'), 'create; continue; continue; continue'),
  planted(both(deep(2), otherNode), noHistory, 'create; continue; continue; continue'),
  planted(both(deep(2), otherNode), noInputItems, 'create; continue; continue; input-items'),
  planted(
    both(deep(2), otherNode),
    strangerServed('lookup'),
    'create; continue; continue; lookup@otherUser',
  ),
  planted(
    both(inRow('delete', 'delete'), otherNode),
    deletedServed('lookup'),
    'create; delete; delete; lookup',
  ),
  planted(
    both(deep(1), answeredHere(1, 'recover', { by: 'owner', served: true })),
    strangerServed('lookup'),
    'create; continue; recover; lookup; lookup@otherUser',
  ),
  planted(
    both(parent('cancel'), otherNode),
    lost('lookup'),
    'create:background; cancel; continue; lookup',
  ),
];
