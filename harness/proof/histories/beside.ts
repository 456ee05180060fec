import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import { type Asked, beside, both, deep, type Situation } from './situations.ts';
import type { Witness } from './witness.ts';
import {
  anotherInput,
  cancelIgnored,
  deletionUndone,
  lost,
  noOutput,
  strangerServed,
  type Wrong,
} from './wrongs.ts';

// What goes wrong only while something else is being handled.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('beside', situation, wrong, witness);

const deletionBeside = (asked: Asked, act: string): HistoryFault =>
  planted(beside(asked), deletionUndone, `create; delete | ${act}; lookup#0`);

export const besideFaults: readonly HistoryFault[] = [
  deletionBeside('lookup', 'lookup'),
  deletionBeside('input-items', 'input-items'),
  deletionBeside('recover', 'recover'),
  deletionBeside('cancel', 'cancel'),
  deletionBeside('delete', 'delete'),
  deletionBeside('create', 'continue'),
  planted(beside('cancel'), lost('lookup'), 'create:background; cancel | lookup'),
  planted(beside('lookup'), cancelIgnored, 'create:background; cancel | lookup; lookup'),
  planted(both(deep(1), beside('create')), noOutput, 'create; continue; continue | lookup#1'),
  planted(
    both(deep(1), beside('create')),
    anotherInput,
    'create; continue; continue | input-items#1',
  ),
  planted(
    both(deep(1), beside('create')),
    lost('continue'),
    'create; continue; continue#1 | continue#1',
  ),
  planted(
    both(deep(1), beside('lookup', { by: 'owner' })),
    strangerServed('lookup'),
    'create; continue; lookup | lookup@otherUser',
  ),
];
