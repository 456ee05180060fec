import { afterFaults } from './after.ts';
import { besideFaults } from './beside.ts';
import type { HistoryFault } from './history-fault.ts';

export type { HistoryFault } from './history-fault.ts';

/** Faults that only a history shows. */
export const historyFaults: readonly HistoryFault[] = [...afterFaults, ...besideFaults];
