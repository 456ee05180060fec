import { type HistoryFault, planted } from './history-fault.ts';
import { after, both, deep, otherNode, parent, type Situation } from './situations.ts';
import { eitherNode, secondNode } from './stages.ts';
import type { Witness } from './witness.ts';
import {
  denialCached,
  lookupCached,
  lost,
  noHistory,
  noInputItems,
  replicaBehind,
  strangerServed,
  type Wrong,
} from './wrongs.ts';

// Faults of one node of two. A balancer alternates between the nodes.

/** Plants a fault that concerns responses made by the other node. */
const elsewhere = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  planted('node', both(situation, otherNode), wrong, witness, eitherNode);

/** Plants a fault in the second node only. */
const atOne = (situation: Situation, wrong: Wrong, witness: Witness): HistoryFault =>
  planted('node', situation, wrong, witness, secondNode);

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
