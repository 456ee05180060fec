import type { Defect } from '../../reference/seams.ts';
import { referenceTarget } from '../../target/reference.ts';
import { lagBetween } from '../nodes/lag-between.ts';
import { type Started, startTwoNodes } from '../nodes/two-nodes.ts';
import { together } from '../planting.ts';
import { type Chronicle, chronicled, type Made } from './chronicle.ts';
import { contentStays } from './wrongs.ts';

/** What is done in another way, by what the server has been through. */
export type Plant = (seen: Chronicle) => Defect['override'];

/** What a fault is planted in. */
export interface Stage {
  /** That of its faults. Default: null. */
  readonly settleMs?: number;
  start(plant: Plant): Promise<Started>;
}

function planted(override: Defect['override']): Defect {
  return { id: 'histories', what: 'It has a fault that only a history shows.', override };
}

const servers = new Map<number, Stage>();

/** One server; each request takes at least so long. */
export function oneServer(handlingMs = 0): Stage {
  const stage = servers.get(handlingMs) ?? {
    start: (plant: Plant) =>
      referenceTarget({ defect: planted(chronicled(plant, { handlingMs })) }),
  };
  servers.set(handlingMs, stage);
  return stage;
}

/** One server, whose owner says that what was done may take so long to show. */
export const settlingServer: Stage = { ...oneServer(), settleMs: 400 };

/** The second of two nodes. What was asked of the first it knows from the database alone, where a deletion is a mark. */
export const secondNode: Stage = {
  start: (plant) => startPlanted([() => contentStays, plant]),
};

/** Each of two nodes, which know of one another from the database alone. */
export const eitherNode: Stage = {
  start: (plant) => startPlanted([plant, plant]),
};

/** How long the second node knows nothing of what the first one did, and how long it may, as its owner says. */
const [lagMs, settleMs] = [250, 500];

/** The same, where a right node would lag: what it has forgotten is to be told from what it does not know yet. */
export const laggingSecondNode: Stage = {
  start: (plant) => startLagging([() => contentStays, plant]),
  settleMs,
};

export const laggingEitherNode: Stage = {
  start: (plant) => startLagging([plant, plant]),
  settleMs,
};

function startPlanted(plants: readonly [Plant, Plant]): Promise<Started> {
  const made = new Map<string, Made>();
  const [first, second] = plants.map((plant, node) => planted(chronicled(plant, { node, made })));
  return startTwoNodes([first, second]);
}

function startLagging(plants: readonly [Plant, Plant]): Promise<Started> {
  const [first, second] = lagBetween(lagMs);
  const [one, other] = plants;
  return startPlanted([
    (seen) => together(first, one(seen)),
    (seen) => together(second, other(seen)),
  ]);
}
