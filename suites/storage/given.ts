import { type Exchange, view } from '../../harness/index.ts';
import { actedOnGiven, type Given } from '../scenarios/points/acted.ts';
import {
  besideCancelled,
  lookedUpAfterInterruption,
  resumed,
  resumedInForeground,
} from '../scenarios/running/interrupted-streams.ts';
import { branched, deletedParent } from '../scenarios/stored/chain.ts';

/** Acts of the owner that cost nothing, on responses that other scenarios have made and brought into a state. */
export const given = {
  cancelled: actedOnGiven(
    ['cancelled', 'background', 'cancelled'],
    view({ other: besideCancelled }, ({ other: { before: created } }) => ({ created })),
  ),
  'cut-stream': actedOnGiven(
    ['cut-stream', 'stream'],
    view({ cut: resumedInForeground }, ({ cut }) => lastLookedUp(cut)),
  ),
  'cut-background': actedOnGiven(
    ['cut-background', 'background-stream'],
    view({ resumed, cut: lookedUpAfterInterruption.background }, ({ cut }) => lastLookedUp(cut)),
  ),
  'cut-turn': actedOnGiven(
    ['cut-turn', 'websocket'],
    view({ cut: lookedUpAfterInterruption.websocket }, ({ cut }) => lastLookedUp(cut)),
  ),
  grandchild: actedOnGiven(
    ['grandchild', 'continuation'],
    view({ branched }, ({ branched: { atOnce, branch } }) => ({
      created: atOnce.find((one) => one !== branch) ?? branch,
    })),
  ),
  orphan: actedOnGiven(
    ['orphan', 'continuation'],
    view({ deletedParent }, ({ deletedParent: { after, deletion } }) => ({
      created: after?.next ?? deletion,
    })),
  ),
};

function lastLookedUp(cut: {
  readonly seen: Exchange;
  readonly lookups: readonly Exchange[];
}): Given {
  return { created: cut.seen, seen: cut.lookups.at(-1) };
}
