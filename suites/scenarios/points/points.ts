import {
  actRequest,
  type CallOptions,
  type Cell,
  type Cost,
  designs,
  type Exchange,
  Inconclusive,
  type Io,
  isServed,
  lostBecause,
  mostPolls,
  type NothingToJudge,
  type Target,
  turnsOf,
} from '../../../harness/index.ts';
import { hasReason, isGranted, type SubjectPlan } from '../../../harness/kernel/model/index.ts';
import { present } from '../exchanges.ts';
import { callLimitAt } from '../generations/generation-calls.ts';
import { finalAnswer, unknownLike } from '../stored/stored-responses.ts';

/** Reason why a response does not exist: its creation failed, or its region need not have the model. */
export type Unmade = Inconclusive | NothingToJudge;

export function isUnmade(made: Made | Unmade): made is Unmade {
  return made instanceof Error;
}

export interface Made {
  readonly region: string;
  readonly model: string;
  readonly id: string;
  /** Creation of the response; for a background response, the lookup that showed its end. */
  readonly created: Exchange;
  /** Owner's lookup in the region that created it; for a response that is not stored, its creation. */
  readonly seen: Exchange;
  /** A word that occurs only in its input. */
  readonly word: string;
  /** Text of its output. */
  readonly text: string;
  /** Id of a message of its output. */
  readonly item: string | null;
  /** Stream of a run that is left open until it is deleted. */
  readonly stream?: Promise<Exchange>;
}

export interface Subject {
  readonly plan: SubjectPlan;
  readonly made: Made | Unmade;
}

interface TriedAct {
  readonly attempt: Exchange;
  /** Turn that was served earlier on the same connection. */
  readonly goodTurn?: Exchange;
  /**
   * For a served call that names a response without continuing it: the same call with an unknown id, and without an id.
   */
  readonly alone?: { readonly unknown: Exchange | null; readonly without: Exchange };
}

export function askedAs({ key, through }: Cell): CallOptions {
  return { key, region: through };
}

/** Tries one act. @throws {Inconclusive} if it cannot be tried */
async function perform(io: Io, cell: Cell, made: Made): Promise<TriedAct> {
  const { operation, requestMode, state } = cell;
  const { id, item } = made;
  if (operation === 'item-reference' && item === null) {
    throw new Inconclusive('the response has no message with an id', made.created);
  }
  const request = actRequest(cell);
  const { model, goodModel } = designs.actsAt(io.target).modelsOf(cell);
  const isLater = requestMode === 'later-turn';
  const on = {
    model: present(model, 'model for an act').id,
    ...(isLater ? { goodModel: present(goodModel, 'model for a good turn').id } : {}),
    ...(request.isIndirect ? { input: io.sentence() } : {}),
  };
  const as = askedAs(cell);
  // The recovery of a running response would stream until the response ends.
  const cut = operation === 'recover' && state === 'running' ? { cut: { events: 1 } } : {};
  const ask = (named: { readonly id: string | null; readonly item: string | null }) =>
    request.send(io, { ...on, ...named }, { ...as, ...cut });
  const attempt = await ask({ id, item });
  if (isLater) return laterTurnOf(attempt);
  if (requestMode === 'background') {
    // A key without the permission may not look the response up either, so the owner's key does.
    const looks = hasReason(cell, 'restricted') ? { ...as, key: 'owner' as const } : as;
    return { attempt: await finalAnswer(io, attempt, looks, io) };
  }
  if (!request.isIndirect || !isServed(attempt)) return { attempt };
  const isByItem = operation === 'item-reference' && item !== null;
  const unknown = isByItem ? await ask({ id, item: unknownLike(item) }) : null;
  return { attempt, alone: { unknown, without: await ask({ id: null, item: null }) } };
}

function laterTurnOf(talk: Exchange): TriedAct {
  const [goodTurn = talk, ...tries] = turnsOf(talk);
  const attempt = tries.at(-1);
  if (attempt !== undefined) return { attempt, goodTurn };
  throw new Inconclusive(`the connection had no second turn${lostBecause(talk)}`, talk);
}

/** One act on one response with its exchanges, or the reason why it was not tried. */
export type Point = Tried | Untried;

export interface Tried extends TriedAct {
  readonly cell: Cell;
  readonly made: Made;
  /** Lookups by the owner before and after an act that might have changed the response. */
  readonly owner?: { readonly before: Exchange; readonly after: Exchange };
  /** For the deletion of a run: a stream of its events that was open, and a lookup just before. */
  readonly open?: { readonly stream: Exchange; readonly before: Exchange };
}

interface Untried {
  readonly cell: Cell;
  readonly blocked: Unmade;
}

export function isTried(point: Point): point is Tried {
  return 'attempt' in point;
}

/** Lanes in which the acts on one response that change nothing are tried. */
const lanesOfOne = 8;

/**
 * Tries acts on a response, starting with those that change nothing. The first is tried alone, because a store may
 * lag until then.
 */
export async function tryAll(
  io: Io,
  lane: string,
  cells: readonly Cell[],
  made: Made | Unmade,
): Promise<Point[]> {
  const [first, ...calm] = cells.filter(isCalm);
  const own = io.lane(lane);
  const alone = first === undefined ? [] : [await tryOne(own, first, made)];
  const inLanes = await Promise.all(
    Array.from({ length: lanesOfOne }, async (_, n): Promise<Point[]> => {
      const points: Point[] = [];
      for (const cell of calm.filter((_, index) => index % lanesOfOne === n)) {
        points.push(await tryOne(io.lane(`${lane}-${n}`), cell, made));
      }
      return points;
    }),
  );
  return [...alone, ...inLanes.flat(), ...(await tryInOrder(own, cells, made))];
}

/** Tries the acts that may change a response one after another. */
async function tryInOrder(io: Io, cells: readonly Cell[], made: Made | Unmade): Promise<Point[]> {
  const points: Point[] = [];
  let now = made;
  const changing = cells.filter((cell) => !isCalm(cell));
  for (const cell of changing.sort((one, other) => rank(one) - rank(other))) {
    const point = await tryOne(io, cell, now);
    points.push(point);
    // Later acts are judged against the state after this act.
    if (isTried(point) && point.owner !== undefined)
      now = { ...point.made, seen: point.owner.after };
  }
  return points;
}

/**
 * Tries acts on a response that does not last. Acts that change nothing run in separate lanes, because a served act
 * may wait until the response ends.
 */
export async function tryAtOnce(
  laneOf: (n: number) => Io,
  cells: readonly Cell[],
  made: Made | Unmade,
): Promise<Point[]> {
  const calm = cells.filter(isCalm);
  const points = await Promise.all(calm.map((cell, n) => tryOne(laneOf(n), cell, made)));
  return [...points, ...(await tryInOrder(laneOf(calm.length), cells, made))];
}

function isCalm(cell: Cell): boolean {
  return rank(cell) === 0;
}

async function tryOne(io: Io, cell: Cell, made: Made | Unmade): Promise<Point> {
  if (isUnmade(made)) return { cell, blocked: made };
  try {
    const act = await perform(io, cell, made);
    // Looks the response up again, because a denied act must not take effect.
    const isGone = ['deleted', 'expired', 'unstored'].includes(cell.reason);
    if (isCalm(cell) || isGranted(cell) || isGone) return { cell, made, ...act };
    const after = await io.responses.lookup(made.id, { region: cell.home });
    return { cell, made, ...act, owner: { before: made.seen, after } };
  } catch (error) {
    if (error instanceof Inconclusive) return { cell, blocked: error };
    throw error;
  }
}

/**
 * Orders acts: those that may end the response come last, and among these, those whose denial is only recommended
 * come after the others.
 */
function rank({ operation, reason }: Cell): number {
  if (operation !== 'delete' && operation !== 'cancel') return 0;
  const isRecommended = reason === 'restricted' || reason === 'other-region';
  return (operation === 'delete' ? 3 : 1) + (isRecommended ? 1 : 0);
}

/** True if an act continues a response of the same user in a separate request. */
function continuesOwn(cell: Cell): boolean {
  const { reason, operation } = cell;
  const own = isGranted(cell) || reason === 'deleted';
  return own && ['continue', 'continue-websocket', 'compact'].includes(operation);
}

/** Returns the maximum cost of acts, for any answers of the gateway. */
export function costOf(target: Target, cells: readonly Cell[]): Cost & { readonly chain: number } {
  const requests = cells.map((cell) => {
    // A background response is looked up until it ends.
    if (cell.requestMode === 'background') return 1 + mostPolls(target);
    if (cell.operation === 'item-reference') return 3;
    if (cell.operation === 'compact' || cell.operation === 'input-tokens') return 2;
    return rank(cell) > 0 && !isGranted(cell) ? 2 : 1;
  });
  const asked = cells.map(({ operation, requestMode }) => {
    if (operation === 'item-reference') return 3;
    if (operation === 'compact' || requestMode === 'later-turn') return 2;
    return operation === 'continue' || operation === 'continue-websocket' ? 1 : 0;
  });
  // A valid turn is served, no matter which turn follows it.
  const generations = cells.map((cell, n) =>
    isGranted(cell) ? (asked[n] ?? 0) : cell.requestMode === 'later-turn' ? 1 : 0,
  );
  const continues = cells.map((cell) => (continuesOwn(cell) ? 1 : 0));
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  const unlimited = cells.some(({ operation }) => operation === 'compact');
  // One form of a continuation forces a call, whose output limit is higher.
  const goesOn = cells.some(({ operation }) => operation.startsWith('continue'));
  const inOrder = sum(cells.map((cell, n) => (isCalm(cell) ? 0 : (requests[n] ?? 0))));
  const longest = Math.max(0, ...requests);
  const polled = cells.filter(({ requestMode }) => requestMode === 'background').length;
  return {
    requests: sum(requests),
    chain: longest + Math.ceil((sum(requests) - inOrder) / lanesOfOne) + inOrder,
    spare: polled * (mostPolls(target) - 1),
    generations: sum(generations),
    refused: sum(asked) - sum(generations),
    continues: sum(continues),
    outputTokens: unlimited ? null : goesOn ? callLimitAt(target) : target.limits.maxOutputTokens,
  };
}
