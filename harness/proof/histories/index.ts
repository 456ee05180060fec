import { afterFaults, nodeFaults } from './after.ts';
import type { HistoryFault } from './history-fault.ts';
import { restartFaults } from './restarts.ts';
import { loadFaults, timedFaults } from './timed.ts';

export { groups, type HistoryFault } from './history-fault.ts';

export const historyFaults: readonly HistoryFault[] = [
  ...afterFaults,
  ...timedFaults,
  ...nodeFaults,
  ...loadFaults,
  ...restartFaults,
];
