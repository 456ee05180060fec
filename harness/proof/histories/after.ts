import { type HistoryFault, plantedDefect, planted as plantedIn } from './history-fault.ts';
import { listRemembered, permissionOfLatest } from './request-defects.ts';
import {
  after,
  both,
  child,
  deep,
  inRow,
  otherNode,
  parent,
  type Situation,
} from './situations.ts';
import { eitherNode, type Stage, secondNode, wholeServer } from './stages.ts';
import type { Witness } from './witness.ts';
import {
  anotherInput,
  anotherOutput,
  deletedServed,
  denialCached,
  elsewhereServed,
  lookupCached,
  lost,
  noHistory,
  noInputItems,
  replicaBehind,
  strangerServed,
  unpermittedServed,
  type Wrong,
} from './wrongs.ts';

// Faults that show only after certain requests, repeated often enough.

const planted = (
  situation: Situation,
  wrong: Wrong,
  witness: Witness,
  stage?: Stage,
): HistoryFault => plantedIn('after', situation, wrong, witness, stage);

export const afterFaults: readonly HistoryFault[] = [
  planted(inRow('delete', 'delete'), deletedServed('lookup'), 'create; delete; delete; lookup'),
  planted(inRow('delete', 'cancel'), deletedServed('lookup'), 'create; delete; cancel; lookup'),
  planted(
    both(deep(1), after(1, 'compact', { served: true })),
    noInputItems,
    'create; continue; compact; input-items',
  ),
  planted(deep(2), lost('input-items'), 'create; continue; continue; input-items'),
  planted(deep(2), lost('continue'), 'create; continue; continue; continue'),
  planted(deep(2), noInputItems, 'create; continue; continue; input-items'),
  planted(deep(2), strangerServed('lookup'), 'create; continue; continue; lookup@otherUser'),
  planted(deep(2), unpermittedServed('lookup'), 'create; continue; continue; lookup@restricted'),
  planted(deep(2), elsewhereServed('lookup'), 'create; continue; continue; lookup@owner/1'),
  planted(deep(2), anotherInput, 'create; continue; continue; input-items'),
  planted(
    child('delete'),
    strangerServed('lookup'),
    'create; continue; delete#1; lookup#0@otherUser',
  ),
  planted(child('cancel'), lost('lookup'), 'create; continue:background; cancel#1; lookup#0'),
  planted(parent('delete'), lost('continue'), 'create; continue; delete#0; continue#1'),
  planted(parent('cancel'), lost('lookup'), 'create:background; cancel; continue; lookup'),
  planted(inRow('delete', 'create'), deletedServed('lookup'), 'create; delete; continue; lookup#0'),
  planted(
    inRow('lookup', 'recover'),
    strangerServed('lookup'),
    'create; lookup; recover; lookup@otherUser',
  ),
  planted(inRow('cancel', 'recover'), lost('lookup'), 'create; cancel; recover; lookup'),
  planted(inRow('cancel', 'input-items'), lost('lookup'), 'create; cancel; input-items; lookup'),
  planted(child('recover'), lost('lookup'), 'create; continue; recover; lookup#0'),
  planted(child('recover'), anotherOutput, 'create; continue; recover; lookup#0'),
  planted(parent('recover'), lost('lookup'), 'create; recover; continue; lookup'),
  planted(parent('recover'), noInputItems, 'create; recover; continue; input-items'),
  plantedDefect('after', listRemembered, 'list; list@restricted', wholeServer),
  plantedDefect(
    'after',
    permissionOfLatest,
    'create; create=1@restricted; lookup#0@restricted',
    wholeServer,
  ),
  planted(parent('cancel'), anotherOutput, 'create:background; cancel; continue; lookup'),
];

// Faults of one node of two. A balancer alternates between the nodes.

/** Plants a fault that concerns responses made by the other node. */
const elsewhere = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('node', both(situation, otherNode), wrong, witness, eitherNode);

const atOne = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  plantedIn('node', situation, wrong, witness, secondNode);

export const nodeFaults: readonly HistoryFault[] = [
  elsewhere(deep(2), lost('continue'), 'create; continue; continue; continue'),
  elsewhere(deep(2), noHistory, 'create; continue; continue; continue'),
  elsewhere(deep(2), noInputItems, 'create; continue; continue; input-items'),
  elsewhere(deep(2), strangerServed('lookup'), 'create; continue; continue; lookup@otherUser'),
  elsewhere(parent('recover'), lost('lookup'), 'create; recover; continue; lookup'),
  atOne(
    both(deep(1), after(1, 'recover', { by: 'owner', served: true })),
    strangerServed('lookup'),
    'create; continue; recover; lookup; lookup@otherUser',
  ),
  atOne(deep(2), lookupCached, 'create; continue; continue; lookup; delete; lookup'),
  atOne(deep(2), denialCached, 'create; continue; continue; lookup@otherUser; list; lookup'),
  atOne(deep(2), replicaBehind(8), 'create; continue; continue; lookup; delete; lookup'),
];
