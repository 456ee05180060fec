import { type HistoryFault, planted } from './history-fault.ts';
import { deep, oneIn } from './situations.ts';
import {
  anotherInput,
  deletedServed,
  deletionUndone,
  elsewhereServed,
  eventsRepeated,
  lost,
  noInputItems,
  noOutput,
  strangerServed,
  unpermittedServed,
} from './wrongs.ts';

// What goes wrong once in many times, and by nothing that could be seen beforehand.

export const rareFaults: readonly HistoryFault[] = [
  planted('one-in', oneIn(50), strangerServed('lookup'), 'create; lookup@otherUser'),
  planted('one-in', oneIn(50), strangerServed('input-items'), 'create; input-items@otherUser'),
  planted('one-in', oneIn(50), strangerServed('recover'), 'create; recover@otherUser'),
  planted('one-in', oneIn(50), unpermittedServed('lookup'), 'create; lookup@restricted'),
  planted('one-in', oneIn(50), elsewhereServed('lookup'), 'create; lookup@owner/1'),
  planted('one-in', oneIn(50), elsewhereServed('input-items'), 'create; input-items@owner/1'),
  planted('one-in', oneIn(50), deletedServed('lookup'), 'create; delete; lookup'),
  planted('one-in', oneIn(30), deletedServed('continue'), 'create; delete; continue'),
  planted('one-in', oneIn(50), deletionUndone, 'create; delete; lookup'),
  planted('one-in', oneIn(50), noInputItems, 'create; input-items'),
  planted('one-in', oneIn(50), anotherInput, 'create; create; input-items'),
  planted('one-in', oneIn(30), eventsRepeated, 'create:background-stream; recover'),
  planted('one-in', oneIn(10, deep(2)), lost('continue'), 'create; continue; continue; continue'),
  planted('one-in', oneIn(50, deep(1)), lost('lookup'), 'create; continue; lookup'),
  planted('one-in', oneIn(50, deep(1)), noOutput, 'create; continue; lookup'),
];
