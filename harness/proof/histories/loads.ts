import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import { load, type Situation } from './situations.ts';
import type { Witness } from './witness.ts';
import { anotherInput, deletionUndone, lost, strangerServed, type Wrong } from './wrongs.ts';

// Faults that show only while the gateway is under load.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('load', situation, wrong, witness);

export const loadFaults: readonly HistoryFault[] = [
  planted(
    load(2, 'another'),
    lost('lookup'),
    'create; create:background@otherUser | create:background@otherUser; lookup#0',
  ),
  planted(
    load(1, 'another'),
    deletionUndone,
    'create; create:background@otherUser | delete; lookup#0',
  ),
  planted(
    load(1, 'another'),
    strangerServed('lookup'),
    'create; create:background@otherUser | lookup@otherUser',
  ),
  planted(load(1, 'another'), anotherInput, 'create; create:background@otherUser | input-items'),
];
