import { referenceTarget } from '../../kernel/targets/index.ts';
import type { Defect } from '../../reference/index.ts';
import { type Started, startTwoNodes } from '../nodes/two-nodes.ts';
import { type Chronicle, chronicled, type Made } from './chronicle.ts';
import { contentStays } from './wrongs.ts';

/** Returns an override that depends on the history of the server. */
export type Plant = (seen: Chronicle) => Defect['override'];

export interface Stage {
  /** Value of `settleMs` for its faults. Default: null. */
  readonly settleMs?: number;
  start(plant: Plant): Promise<Started>;
}

function withFault(override: Defect['override']): Defect {
  return { id: 'histories', what: 'It has a fault that only a history shows.', override };
}

const servers = new Map<number, Stage>();

/** Returns a single server with a minimum duration per request. */
export function oneServer(handlingMs = 0): Stage {
  const stage = servers.get(handlingMs) ?? {
    start: (plant: Plant) =>
      referenceTarget({ defect: withFault(chronicled(plant, { handlingMs })) }),
  };
  servers.set(handlingMs, stage);
  return stage;
}

/** Single server whose owner declares a lag. */
export const settlingServer: Stage = { ...oneServer(), settleMs: 400 };

/** Single server, explored with all of its resources and without lag. */
export const wholeServer: Stage = { ...oneServer(), settleMs: 0 };

/** A single server whose requests take long enough for others to overlap with them. */
export const busyServer: Stage = { ...oneServer(15), settleMs: 0 };

/** Second of two nodes. The node knows requests to the first only through the database, which marks deletions. */
export const secondNode: Stage = {
  start: (plant) => startPlanted([() => contentStays, plant]),
};

/** Both of two nodes, which know of each other only through the database. */
export const eitherNode: Stage = {
  start: (plant) => startPlanted([plant, plant]),
};

function startPlanted(plants: readonly [Plant, Plant]): Promise<Started> {
  const made = new Map<string, Made>();
  const [first, second] = plants.map((plant, node) => withFault(chronicled(plant, { node, made })));
  return startTwoNodes([first, second]);
}
