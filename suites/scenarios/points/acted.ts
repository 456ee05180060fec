import {
  type Cell,
  type CreationMode,
  creationModes,
  each,
  type Io,
  isGranted,
  type Scenario,
  type SubjectPlan,
  scenario,
} from '../../../harness/index.ts';
import { cellsOn, laneOf, made, makesOne, plansAt } from './made.ts';
import { costOf, type Point, tryAll } from './points.ts';

/** Reasons that are tried together while a response exists. */
export const groups = {
  served: ['none', 'second-key'],
  keyless: ['no-key', 'unknown-key'],
  'other-user': ['other-user'],
  restricted: ['restricted', 'under-another-model'],
  'other-region': ['other-region'],
} as const;

export type Group = keyof typeof groups;

export interface Points {
  readonly points: readonly Point[];
}

/** Acts on finished responses that exist, by group of reasons and creation mode. */
export const acted = each(Object.keys(groups) as Group[], (group) =>
  each(creationModes, (mode) => actedOn(group, mode)),
);

function actedOn(group: Group, mode: CreationMode): Scenario<Points> {
  const fits = (cell: Cell): boolean => isAmong(group, cell) && !isDoneElsewhere(cell);
  return scenario(
    `points/${group}/${mode}`,
    {
      ...(group === 'keyless' ? { hostile: 'credentials' } : {}),
      after: { made: made[mode] },
      cost: (target) => ({
        ...costOf(
          target,
          plansAt(target, 'stored', mode).flatMap((plan) => cellsOn(target, plan, fits)),
        ),
      }),
    },
    async (io, { made: { subjects } }) => ({
      points: await inLanes(io, subjects, (lane, { plan, made }) =>
        tryAll(lane, cellsOn(io.target, plan, fits), made),
      ),
    }),
  );
}

export function isAmong(group: Group, { reason }: Cell): boolean {
  const reasons: readonly string[] = groups[group];
  return reasons.includes(reason);
}

/**
 * True for acts of other scenarios: reads right after the creation or a day before the end of the retention, the
 * act that creates another response, and the end of a response.
 */
function isDoneElsewhere(cell: Cell): boolean {
  const { reason, operation, state } = cell;
  if (!isGranted(cell)) return false;
  if (state === 'aged') return true;
  const ends = operation === 'delete' || operation === 'cancel';
  const continues = operation === 'continue' || operation === 'continue-websocket';
  return ends || makesOne(cell) || (reason === 'none' && !continues);
}

/** Runs the acts of each response in a separate lane. */
export async function inLanes<One extends { readonly plan: SubjectPlan }>(
  io: Io,
  all: readonly One[],
  what: (lane: Io, one: One) => Promise<readonly Point[]>,
): Promise<Point[]> {
  const points = await Promise.all(all.map((one) => what(io.lane(laneOf(one.plan)), one)));
  return points.flat();
}
