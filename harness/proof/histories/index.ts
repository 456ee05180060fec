import { afterFaults } from './after.ts';
import { besideFaults } from './beside.ts';
import type { HistoryFault } from './history-fault.ts';
import { laterFaults } from './later.ts';
import { loadFaults } from './loads.ts';
import { nodeFaults } from './nodes.ts';
import { rareFaults } from './rare.ts';
import { restartFaults } from './restarts.ts';

export { type Group, groups, type HistoryFault } from './history-fault.ts';

/** Faults that only a history shows. */
export const historyFaults: readonly HistoryFault[] = [
  ...afterFaults,
  ...besideFaults,
  ...rareFaults,
  ...laterFaults,
  ...nodeFaults,
  ...loadFaults,
  ...restartFaults,
];
