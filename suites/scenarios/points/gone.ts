import {
  type Cell,
  type CreationMode,
  type Exchange,
  each,
  Inconclusive,
  type Io,
  isGranted,
  type Scenario,
  scenario,
  type Target,
} from '../../../harness/index.ts';
import { lookupControl } from '../baselines.ts';
import { acted, type Points } from './acted.ts';
import { askedAs } from './acts.ts';
import {
  cellsOn,
  inconclusive,
  laneOf,
  type Made,
  made,
  plansAt,
  type Subject,
  unstored,
} from './made.ts';
import { costOf, type Point, tryAll } from './points.ts';

/** A stored response a day before its retention ends, and what its owner gets of it. */
export interface Kept {
  readonly mode: CreationMode;
  readonly seen: Exchange;
  readonly lookup: Exchange;
  readonly inputItems: Exchange;
  /** Of one response that was made in one body. */
  readonly continued: Exchange | null;
}

/** What comes of responses that are deleted, or whose retention ends. */
export interface Gone extends Points {
  readonly kept: readonly (Kept | Inconclusive)[];
  /** Each deletion, with the response as it was. */
  readonly deletions: readonly { readonly made: Made; readonly deletion: Exchange }[];
}

const modes = [
  'one-body',
  'stream',
  'background',
  'background-stream',
  'websocket',
  'continuation',
] as const satisfies readonly CreationMode[];

/** The end of the stored responses of each mode, when all else has been tried on them. */
export const gone = each(modes, goneOf);

function goneOf(mode: CreationMode): Scenario<Gone> {
  // What it continues must be there until it has been continued.
  const continuations = { made: made.continuation, unstored: unstored.continuation };
  return scenario(
    `points/gone/${mode}`,
    {
      after: {
        made: made[mode],
        lookupControl,
        ...actsBefore(mode),
        ...(mode === 'one-body' ? { ...continuations, ...actsBefore('continuation', 'later ') } : {}),
      },
      cost: (target) => costAt(target, mode),
    },
    async (io, { made: { subjects } }) => {
      const ends = await Promise.all(
        subjects.map((subject) => endOf(io.lane(laneOf(subject.plan)), subject)),
      );
      return {
        points: ends.flatMap(({ points }) => points),
        kept: ends.flatMap(({ kept }) => kept),
        deletions: ends.flatMap(({ deletions }) => deletions),
      };
    },
  );
}

function actsBefore(mode: CreationMode, named = ''): Readonly<Record<string, Scenario<Points>>> {
  return Object.fromEntries(
    Object.entries(acted).map(([group, byMode]) => [`${named}${group}`, byMode[mode]]),
  );
}

function costAt(target: Target, mode: CreationMode) {
  const plans = plansAt(target, 'stored', mode);
  const acts = costOf(plans.flatMap((plan) => cellsOn(target, plan, isEnd)));
  const aged = plans.filter(({ fate }) => fate === 'expired').length;
  return {
    ...acts,
    requests: acts.requests + aged * (3 + 2 * target.probes.clock.length),
    generations: acts.generations + (mode === 'one-body' ? aged : 0),
  };
}

/** What ends it, and what comes behind. */
function isEnd(cell: Cell): boolean {
  return isDeletion(cell) || cell.reason === 'deleted' || cell.reason === 'expired';
}

function isDeletion(cell: Cell): boolean {
  return isGranted(cell) && cell.operation === 'delete';
}

async function endOf(io: Io, { plan, made }: Subject): Promise<Gone> {
  const cells = cellsOn(io.target, plan, isEnd);
  if (made instanceof Inconclusive) {
    return { points: cells.map((cell) => ({ cell, blocked: made })), kept: [], deletions: [] };
  }
  return plan.fate === 'expired'
    ? expired(io, plan.mode, made, cells)
    : deleted(io, made, cells);
}

/** Deletes it by whoever may, and tries what is denied from then on. */
export async function deleted(io: Io, made: Made, cells: readonly Cell[]): Promise<Gone> {
  const points: Point[] = [];
  const deletions: Exchange[] = [];
  for (const cell of cells.filter(isDeletion)) {
    const deletion = await io.responses.delete(made.id, askedAs(cell));
    points.push({ cell, made, attempt: deletion });
    deletions.push(deletion);
    // A second key that was refused leaves it to the owner.
    if (cell.reason === 'second-key' && !isDone(deletion)) {
      deletions.push(await io.responses.delete(made.id, { region: cell.home }));
    }
  }
  const after = cells.filter((cell) => !isDeletion(cell));
  const last = deletions.at(-1) ?? made.seen;
  const there = isDone(last) ? made : new Inconclusive('the response was not deleted', last);
  return {
    points: [...points, ...(await tryAll(io, after, there))],
    kept: [],
    deletions: deletions.map((deletion) => ({ made, deletion })),
  };
}

function isDone({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}

/** A day before its retention ends, and two days after. */
async function expired(
  io: Io,
  mode: CreationMode,
  made: Made,
  cells: readonly Cell[],
): Promise<Gone> {
  const days = io.target.retentionDays;
  const kept = await keptAt(io, mode, made, days - 1).catch(inconclusive);
  const old = await age(io, made.id, days + 2).then(() => made, inconclusive);
  return { points: await tryAll(io, cells, old), kept: [kept], deletions: [] };
}

async function keptAt(io: Io, mode: CreationMode, made: Made, days: number): Promise<Kept> {
  const { responses } = io;
  const region = made.region;
  await age(io, made.id, days);
  const lookup = await responses.lookup(made.id, { region });
  const inputItems = await responses.inputItems(made.id, {}, { region });
  const body = { model: made.model, previous_response_id: made.id };
  const continued = mode === 'one-body' ? await responses.create(body, { region }) : null;
  return { mode, seen: made.seen, lookup, inputItems, continued };
}

/** @throws {Inconclusive} when no clock probe knows the response */
async function age(io: Io, id: string, days: number): Promise<void> {
  const answers: readonly Exchange[] = await io.probes.age(id, days * 86_400);
  const [first = null] = answers;
  if (!answers.some(isDone)) throw new Inconclusive('no clock probe took the stored response', first);
}
