import { type HistoryFault, plantedDefect, planted as plantedIn } from './history-fault.ts';
import { conversationCrossed } from './request-defects.ts';
import { type Asked, beside, both, deep, type Situation } from './situations.ts';
import { busyServer } from './stages.ts';
import type { Witness } from './witness.ts';
import { deletionUndone, lost, noOutput, type Wrong } from './wrongs.ts';

// Faults that show only while another request is being handled.

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
  plantedDefect('beside', conversationCrossed, 'create@otherUser | messages', busyServer),
  planted(both(deep(1), beside('create')), noOutput, 'create; continue; continue | lookup#1'),
];
