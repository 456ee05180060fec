import { type HistoryFault, planted as plantedIn } from './history-fault.ts';
import { both, deep, later, type Situation } from './situations.ts';
import { settlingServer } from './stages.ts';
import type { Witness } from './witness.ts';
import { lost, noInputItems, strangerServed, type Wrong } from './wrongs.ts';

// Faults that show only after a delay: something has expired, and something else depends on it.

const planted = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('later', situation, wrong, witness, settlingServer);

const expired = both(deep(1), later(200));

export const laterFaults: readonly HistoryFault[] = [
  planted(expired, lost('lookup'), 'create; continue; ~lookup'),
  planted(expired, noInputItems, 'create; continue; ~input-items'),
  planted(expired, strangerServed('lookup'), 'create; continue; ~lookup@otherUser'),
];
