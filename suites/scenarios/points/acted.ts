import {
  type Cell,
  type CreationMode,
  each,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { creationModes, isGranted } from '../../../harness/kernel/model/index.ts';
import {
  cellsOn,
  isKeyless,
  laneOf,
  made,
  makesOne,
  plansAt,
  type Subjects,
  unstored,
} from './made.ts';
import { costOf, type Point, tryAll } from './points.ts';
import type { Subject } from './subject.ts';

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
  each(creationModes, (mode) =>
    actedOn(`${group}/${mode}`, made[mode], ['stored', mode], {
      isHostile: group === 'keyless',
      fits: (cell) => isAmong(group, cell) && !isDoneElsewhere(cell),
    }),
  ),
);

/** Acts without a good key on responses with `store: false`. */
export const keylessUnstored = each(Object.keys(unstored) as (keyof typeof unstored)[], (mode) =>
  actedOn(`keyless-unstored/${mode}`, unstored[mode], ['unstored', mode], {
    isHostile: true,
    fits: isKeyless,
  }),
);

function actedOn(
  name: string,
  made: Scenario<Subjects>,
  [kind, mode]: readonly ['stored' | 'unstored', CreationMode],
  { isHostile, fits }: { readonly isHostile: boolean; fits(cell: Cell): boolean },
): Scenario<Points> {
  return scenario(
    `points/${name}`,
    {
      ...(isHostile ? { hostile: 'credentials' } : {}),
      after: { made },
      cost: (target) =>
        costOf(
          target,
          plansAt(target, kind, mode).flatMap((plan) => cellsOn(target, plan, fits)),
        ),
    },
    async (io, { made: { subjects } }) => ({
      points: await inEach(subjects, ({ plan, made }) =>
        tryAll(io, laneOf(plan), cellsOn(io.target, plan, fits), made),
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

/** Tries the acts on all responses at once. */
export async function inEach(
  subjects: readonly Subject[],
  what: (subject: Subject) => Promise<readonly Point[]>,
): Promise<Point[]> {
  const points = await Promise.all(subjects.map(what));
  return points.flat();
}
