import type { Defect } from '../../reference/index.ts';
import { deleteLag, storeLag } from '../honest/lag.ts';
import { together } from '../planting.ts';
import { startRestarting } from './restarting.ts';
import { type Started, startTwoNodes } from './two-nodes.ts';

/** A valid gateway of several servers, or of one that exits. */
interface Shape {
  readonly id: string;
  readonly what: string;
  start(): Promise<Started>;
}

const lagging = together(storeLag(150), deleteLag(150));

function planted(override: Defect['override']): Defect {
  return { id: 'nodes.lagging', what: 'It lags.', override };
}

/** Gateways in which exploring must find nothing, whichever server exits, and when. */
export const shapes: readonly Shape[] = [
  {
    id: 'nodes.two',
    what: 'A balancer sends requests by turns to two servers with one database.',
    start: () => startTwoNodes([undefined, undefined]),
  },
  {
    id: 'nodes.lagging',
    what: 'The same, and what one of them has made or deleted shows there 150 ms later, as its owner says.',
    start: () => startTwoNodes([planted(deleteLag(0)), planted(lagging)]),
  },
  {
    id: 'restarts.drained',
    what: 'Every 100 requests it ends and starts again from a file, and lets requests wait meanwhile.',
    start: () => startRestarting({ every: 100, how: 'drained' }),
  },
  {
    id: 'restarts.killed',
    what: 'Every 250 requests it is ended in the middle of all that goes on, and starts again from a file.',
    start: () => startRestarting({ every: 250, how: 'killed' }),
  },
  {
    id: 'restarts.gone',
    what: 'After 250 requests it is ended in the middle of all that goes on, and is gone; its balancer stays.',
    start: () => startRestarting({ every: 250, how: 'gone' }),
  },
];
