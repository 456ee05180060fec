import { type HistoryFault, planted } from './history-fault.ts';
import { deep, oneIn } from './situations.ts';
import {
  deletedServed,
  deletionUndone,
  elsewhereServed,
  eventsRepeated,
  lost,
  noHistory,
  noInputItems,
  noOutput,
  strangerServed,
  unpermittedServed,
} from './wrongs.ts';

// Faults that show in one of many attempts, without any sign beforehand.

export const rareFaults: readonly HistoryFault[] = [
  planted('one-in', oneIn(15), strangerServed('lookup'), 'create; lookup@otherUser'),
  planted('one-in', oneIn(12), strangerServed('input-items'), 'create; input-items@otherUser'),
  planted('one-in', oneIn(15), unpermittedServed('lookup'), 'create; lookup@restricted'),
  planted('one-in', oneIn(15), elsewhereServed('lookup'), 'create; lookup@owner/1'),
  planted('one-in', oneIn(35), deletedServed('lookup'), 'create; delete; lookup'),
  planted('one-in', oneIn(12), deletedServed('continue'), 'create; delete; continue'),
  planted('one-in', oneIn(20), deletionUndone, 'create; delete; lookup'),
  planted('one-in', oneIn(30), eventsRepeated, 'create:background-stream; recover'),
  planted('one-in', oneIn(25, deep(1)), lost('lookup'), 'create; continue; lookup'),
  planted('one-in', oneIn(25, deep(1)), noOutput, 'create; continue; lookup'),
  planted('one-in', oneIn(10, deep(1)), lost('continue'), 'create; continue; continue'),
  planted('one-in', oneIn(10, deep(1)), noInputItems, 'create; continue; input-items'),
  planted('one-in', oneIn(10, deep(1)), noHistory, 'create; continue; continue'),
];
