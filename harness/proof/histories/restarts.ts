import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import { acted, restarted, type Situation } from './situations.ts';
import type { Witness } from './witness.ts';
import { lost, noOutput, strangerServed, unstoredServed, type Wrong } from './wrongs.ts';

// What goes wrong only after a node has broken, and was started again: it has lost what it should have kept, or
// has again what it should have lost.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('restart', situation, wrong, witness);

const byDeepRecover = restarted(acted('recover', 2));
const byDeepInputItems = restarted(acted('input-items', 2));

export const restartFaults: readonly HistoryFault[] = [
  planted(byDeepRecover, lost('lookup', 'continue'), 'create; continue; continue; recover; lookup'),
  planted(
    byDeepRecover,
    strangerServed('lookup'),
    'create; continue; continue; recover; lookup@otherUser',
  ),
  planted(
    byDeepRecover,
    unstoredServed('lookup'),
    'create!; create; continue; continue; recover; lookup#0',
  ),
  planted(byDeepInputItems, noOutput, 'create; continue; continue; input-items; lookup'),
];
