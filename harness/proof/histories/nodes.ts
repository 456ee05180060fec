import { type HistoryFault, planted } from './history-fault.ts';
import { after, both, deep, otherNode, parent, type Situation } from './situations.ts';
import { eitherNode, laggingEitherNode, laggingSecondNode, secondNode } from './stages.ts';
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

// What goes wrong at a node because it is one of two. A balancer sends requests to them by turns.

/** What is wrong, by where it is: in what another node has made, or at the second of them alone. */
interface AtNode {
  readonly at: 'elsewhere' | 'second';
  readonly situation: Situation;
  readonly wrong: Wrong;
  readonly witness: Witness;
}

const elsewhere = (situation: Situation, wrong: Wrong, witness: Witness): AtNode => ({
  ...{ at: 'elsewhere', wrong, witness },
  situation: both(situation, otherNode),
});

const atSecond = (situation: Situation, wrong: Wrong, witness: Witness): AtNode => ({
  ...{ at: 'second', situation, wrong, witness },
});

const wrongs: readonly AtNode[] = [
  elsewhere(deep(2), lost('continue'), 'create; continue; continue; continue'),
  elsewhere(deep(2), noHistory, 'create; continue; continue; continue'),
  elsewhere(deep(2), noInputItems, 'create; continue; continue; input-items'),
  elsewhere(deep(2), strangerServed('lookup'), 'create; continue; continue; lookup@otherUser'),
  elsewhere(parent('recover'), lost('lookup'), 'create; recover; continue; lookup'),
  atSecond(
    both(deep(1), after(1, 'recover', { by: 'owner', served: true })),
    strangerServed('lookup'),
    'create; continue; recover; lookup; lookup@otherUser',
  ),
  atSecond(deep(2), lookupCached, 'create; continue; continue; lookup; delete; lookup'),
  atSecond(deep(2), denialCached, 'create; continue; continue; lookup@otherUser; list; lookup'),
  atSecond(deep(2), replicaBehind(8), 'create; continue; continue; lookup; delete; lookup'),
];

/** What might be a lag is none when its time is over. */
const afterLag = (witness: Witness): Witness => witness.replace(/; (?=[^;]*$)/, '; ~');

export const nodeFaults: readonly HistoryFault[] = [
  ...wrongs.map(({ at, situation, wrong, witness }) =>
    planted('node', situation, wrong, witness, at === 'second' ? secondNode : eitherNode),
  ),
  ...wrongs.map(({ at, situation, wrong, witness }) =>
    planted(
      ...(['lagging-node', situation, wrong, afterLag(witness)] as const),
      at === 'second' ? laggingSecondNode : laggingEitherNode,
    ),
  ),
];
