import { type HistoryFault, planted, plantedDefect } from './history-fault.ts';
import { conversationCrossed } from './request-defects.ts';
import { type Asked, beside, both, deep, later, load, oneIn } from './situations.ts';
import { busyServer, settlingServer } from './stages.ts';
import {
  anotherInput,
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

const deletionBeside = (asked: Asked, act: string): HistoryFault =>
  planted('beside', beside(asked), deletionUndone, `create; delete | ${act}; lookup#0`);

const expired = both(deep(1), later(200));

/** Faults that show while another request is handled, in one of many attempts, after a delay, or under load. */
export const timedFaults: readonly HistoryFault[] = [
  deletionBeside('lookup', 'lookup'),
  deletionBeside('input-items', 'input-items'),
  deletionBeside('recover', 'recover'),
  deletionBeside('cancel', 'cancel'),
  deletionBeside('delete', 'delete'),
  deletionBeside('create', 'continue'),
  planted('beside', beside('cancel'), lost('lookup'), 'create:background; cancel | lookup'),
  plantedDefect('beside', conversationCrossed, 'create@otherUser | messages', busyServer),
  planted(
    'beside',
    both(deep(1), beside('create')),
    noOutput,
    'create; continue; continue | lookup#1',
  ),
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
  planted('later', expired, lost('lookup'), 'create; continue; ~lookup', settlingServer),
  planted('later', expired, noInputItems, 'create; continue; ~input-items', settlingServer),
  planted(
    'later',
    expired,
    strangerServed('lookup'),
    'create; continue; ~lookup@otherUser',
    settlingServer,
  ),
];

/** Faults that show only while the gateway is under load. */
export const loadFaults: readonly HistoryFault[] = [
  planted(
    'load',
    load(2, 'another'),
    lost('lookup'),
    'create; create:background@otherUser | create:background@otherUser; lookup#0',
  ),
  planted(
    'load',
    load(1, 'another'),
    deletionUndone,
    'create; create:background@otherUser | delete; lookup#0',
  ),
  planted(
    'load',
    load(1, 'another'),
    strangerServed('lookup'),
    'create; create:background@otherUser | lookup@otherUser',
  ),
  planted(
    'load',
    load(1, 'another'),
    anotherInput,
    'create; create:background@otherUser | input-items',
  ),
];
