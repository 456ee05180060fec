import {
  actRequest,
  type Cell,
  type CreationMode,
  contentOf,
  designs,
  type Exchange,
  each,
  Inconclusive,
  type Io,
  idOf,
  isCarriedOut,
  isServed,
  NothingToJudge,
  type Scenario,
  scenario,
  type Target,
  type View,
} from '../../../harness/index.ts';
import {
  creationModes,
  expectedOf,
  isGranted,
  operations,
  requestModes,
  type SubjectPlan,
} from '../../../harness/kernel/model/index.ts';
import { lookupControl } from '../baselines.ts';
import {
  cellsOn,
  inconclusive,
  isKeyless,
  laneOf,
  made,
  makesOne,
  plansAt,
  type Subjects,
  unstored,
} from './made.ts';
import {
  askedAs,
  costOf,
  isUnmade,
  type Made,
  type Point,
  type Subject,
  tryAll,
  type Unmade,
} from './points.ts';

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
async function inEach(
  subjects: readonly Subject[],
  what: (subject: Subject) => Promise<readonly Point[]>,
): Promise<Point[]> {
  const points = await Promise.all(subjects.map(what));
  return points.flat();
}

/** Deletes the stored responses of each mode, after all other acts on them. */
export const deleted = each(creationModes, (mode) =>
  scenario(
    `points/deleted/${mode}`,
    {
      hostile: 'credentials',
      after: { made: made[mode], lookupControl, ...before(mode) },
      cost: (target) => costOf(target, cellsAt(target, mode, 'deleted')),
    },
    async (io, { made: { subjects } }): Promise<Points> => ({
      points: await inEach(endingAs('deleted', subjects), ({ plan, made }) =>
        deletedFor(io, laneOf(plan), made, cellsOn(io.target, plan, isEnd)),
      ),
    }),
  ),
);

/** Ages responses, and acts on them a day before the end of their retention and two days after it. */
export const expired = each(creationModes, (mode) =>
  scenario(
    `points/expired/${mode}`,
    {
      needs: { probes: ['clock'] },
      hostile: 'credentials',
      after: { made: made[mode], ...before(mode) },
      cost: (target) => {
        const acts = costOf(target, cellsAt(target, mode, 'expired'));
        const aged = plansAt(target, 'stored', mode).filter(({ fate }) => fate === 'expired');
        const { clock } = target.probes;
        const ages = 2 * clock.length;
        return {
          ...acts,
          requests: acts.requests + aged.length * ages,
          chain: acts.chain + ages,
        };
      },
    },
    async (io, { made: { subjects } }): Promise<Points> => ({
      points: await inEach(endingAs('expired', subjects), async ({ plan, made }) => {
        const lane = laneOf(plan);
        const cells = cellsOn(io.target, plan, isEnd);
        const days = io.target.retentionDays;
        return [
          ...(await agedFor(io, lane, made, cells.filter(isAged), days - 1)),
          ...(await agedFor(
            io,
            lane,
            made,
            cells.filter((cell) => !isAged(cell)),
            days + 2,
          )),
        ];
      }),
    }),
  ),
);

function isAged({ state }: Cell): boolean {
  return state === 'aged';
}

function endingAs(fate: SubjectPlan['fate'], subjects: readonly Subject[]): Subject[] {
  return subjects.filter(({ plan }) => plan.fate === fate);
}

function cellsAt(target: Target, mode: CreationMode, fate: SubjectPlan['fate']): Cell[] {
  return plansAt(target, 'stored', mode)
    .filter((plan) => plan.fate === fate)
    .flatMap((plan) => cellsOn(target, plan, isEnd));
}

/** Returns the scenarios that need the responses; a continued response must exist until then. */
function before(mode: CreationMode): Readonly<Record<string, Scenario<Points>>> {
  const continued = { continued: made.continuation, unstored: unstored.continuation };
  return {
    ...actsBefore(mode),
    ...(mode === 'one-body' ? { ...continued, ...actsBefore('continuation', 'later ') } : {}),
  };
}

function actsBefore(mode: CreationMode, named = ''): Readonly<Record<string, Scenario<Points>>> {
  return Object.fromEntries(
    Object.entries(acted).map(([group, byMode]) => [`${named}${group}`, byMode[mode]]),
  );
}

/** True for the end of a response, and for acts after it or a day before it. */
function isEnd(cell: Cell): boolean {
  return isDeletion(cell) || isAged(cell) || cell.reason === 'deleted' || cell.reason === 'expired';
}

export function isDeletion(cell: Cell): boolean {
  return isGranted(cell) && cell.operation === 'delete';
}

/** Deletes the response with a key that may, and then tries the acts that must be denied. */
export async function deletedFor(
  io: Io,
  lane: string,
  made: Made | Unmade,
  cells: readonly Cell[],
): Promise<Point[]> {
  if (isUnmade(made)) return tryAll(io, lane, cells, made);
  const own = io.lane(lane);
  const points: Point[] = [];
  let last: Exchange | null = null;
  for (const cell of cells.filter(isDeletion)) {
    last = await actRequest(cell).send(own, made, askedAs(cell));
    points.push({ cell, made, attempt: last });
    // If the second key was refused, the owner deletes the response.
    if (cell.reason === 'second-key' && !isCarriedOut(last)) {
      last = await own.responses.delete(made.id, { region: cell.home });
      points.push({ cell: { ...cell, reason: 'none', key: 'owner' }, made, attempt: last });
    }
  }
  const isGone = last !== null && isCarriedOut(last);
  const there = isGone ? made : new Inconclusive('the response was not deleted', last);
  const after = cells.filter((cell) => !isDeletion(cell));
  return [...points, ...(await tryAll(io, lane, after, there))];
}

/** Ages the response by so many days, and tries the remaining acts. */
async function agedFor(
  io: Io,
  lane: string,
  made: Made | Unmade,
  cells: readonly Cell[],
  days: number,
): Promise<Point[]> {
  if (isUnmade(made)) return tryAll(io, lane, cells, made);
  const own = io.lane(lane);
  return tryAll(io, lane, cells, await age(own, made.id, days).then(() => made, inconclusive));
}

/** @throws {Inconclusive} if no clock probe knows the response */
async function age(io: Io, id: string, days: number): Promise<void> {
  const answers: readonly Exchange[] = await io.probes.age(id, days * 86_400);
  const [first = null] = answers;
  if (!answers.some(isCarriedOut))
    throw new Inconclusive('no clock probe took the stored response', first);
}

/** A response, and its last lookup if it had one. */
export interface Given {
  readonly created: Exchange;
  readonly seen?: Exchange | undefined;
}

type GivenAs = readonly [name: string, mode: CreationMode, state?: Cell['state']];

/** Tries the acts of the owner that cost nothing on a response that another scenario has made for its own checks. */
export function actedOnGiven(as: GivenAs, creation: View<Given>): Scenario<Points> {
  const [name] = as;
  return scenario(
    `points/given/${name}`,
    {
      after: { creation, lookupControl },
      cost: (target) => {
        const acts = costOf(target, cellsOnGiven(target, as));
        return { ...acts, requests: acts.requests + 1, chain: acts.chain + 1 };
      },
    },
    async (io, { creation: { created, seen: last } }) => {
      const id = idOf(created);
      const seen = last ?? (await io.responses.lookup(id));
      const [region, model, text] = [created.about.region, io.model.id, contentOf(seen).text];
      const known = { region, model, id, created, seen, word: '', text, item: null };
      // Other checks judge whether a response is there that the client has dropped.
      const isLost = name.startsWith('cut-') && !isServed(seen);
      const made = isLost ? new NothingToJudge('the response is not there') : known;
      const cells = cellsOnGiven(io.target, as);
      const own = cells.filter((cell) => !isEnd(cell) && !looksUp(cell));
      const looked = cells.filter((cell) => looksUp(cell) && isGranted(cell));
      return {
        points: [
          ...looked.map((cell): Point => {
            return isUnmade(made) ? { cell, blocked: made } : { cell, made, attempt: seen };
          }),
          ...(await tryAll(io, name, own, made)),
          ...(await deletedFor(io, name, made, cells.filter(isEnd))),
        ],
      };
    },
  );
}

function looksUp({ operation }: Cell): boolean {
  return operation === 'lookup';
}

/** Returns the acts of which a source speaks, before and after the deletion. */
function cellsOnGiven(target: Target, [, mode, state = 'finished']: GivenAs): Cell[] {
  const home = target.regions[0]?.name ?? '';
  const own = { second: null, key: 'owner', home, through: home, mode, content: 'plain' } as const;
  // The ledger is asked about interrupted runs at the end: their responses have to be there.
  const stays = mode === 'stream' || mode === 'websocket';
  // Other acts show what else is denied, in other forms. What is left of a stream shows in the whole of it.
  const afterwards = ['lookup', 'continue', ...(mode === 'background-stream' ? ['recover'] : [])];
  return (['none', 'deleted'] as const).flatMap((reason) =>
    operations.flatMap((operation) => {
      const isTried = reason === 'none' || afterwards.includes(operation);
      const forms = requestModes[operation].slice(0, operation === 'recover' ? 2 : 1);
      return forms.flatMap((requestMode): Cell[] => {
        const cell: Cell = { ...own, reason, state, operation, requestMode };
        const { outcome, recommended } = expectedOf(cell);
        const { generates, isIndirect } = actRequest(cell);
        const isPaid = isIndirect || (generates && isGranted(cell));
        const isOpen = outcome === 'either' && recommended === null;
        const isLeft = !isTried || isOpen || isPaid || (stays && isEnd(cell));
        return isLeft || designs.actsAt(target).modelsOf(cell).model === null ? [] : [cell];
      });
    }),
  );
}
