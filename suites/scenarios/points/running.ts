import {
  actRequest,
  type Cell,
  contentOf,
  creations,
  designs,
  type Exchange,
  each,
  type Fields,
  Inconclusive,
  type Io,
  isRefused,
  json,
  NothingToJudge,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { isGranted, type SubjectPlan } from '../../../harness/kernel/model/index.ts';
import { lookupControl } from '../baselines.ts';
import { assumeDistinctIds, present } from '../exchanges.ts';
import { textBegun } from '../running/interrupted-streams.ts';
import {
  endedTooSoon,
  running as goingOn,
  idOfLongRun,
  longRun,
  longRunLimit,
  notApplicableOnceEnded,
  witness,
} from '../stored/stored-responses.ts';
import { deletedFor, type Group, groups, isAmong, type Points } from './acted.ts';
import { cellsOn, laneOf, plansAt, whyNot } from './made.ts';
import {
  askedAs,
  costOf,
  isUnmade,
  type Made,
  type Point,
  tryAll,
  tryAtOnce,
  type Unmade,
} from './points.ts';

/** Acts on responses that run in the background, and on runs after their stop. */
export const running = each(['background', 'background-stream'], runningBy);

function runningBy(mode: 'background' | 'background-stream'): Scenario<Points> {
  return scenario(
    `points/running/${mode}`,
    {
      needs: { model: { speaks: 'responses' } },
      // The response exists only for a short time, so acts without a key run together with the others.
      hostile: 'credentials',
      after: { witness, lookupControl },
      cost: (target) => {
        const plans = plansAt(target, 'running', mode);
        const acts = costOf(
          target,
          plans.flatMap((plan) => cellsOn(target, plan, () => true)),
        );
        return {
          ...acts,
          requests: acts.requests + 4 * plans.length,
          chain: acts.chain + 4,
          generations: acts.generations + plans.length,
          outputTokens:
            acts.outputTokens === null
              ? null
              : Math.max(longRunLimit(target), acts.outputTokens ?? 0),
        };
      },
    },
    async (io, { witness: other }) => {
      const points = await Promise.all(
        plansAt(io.target, 'running', mode).map(async (plan) =>
          whileItRuns(io, plan, await started(io.lane(laneOf(plan)), plan, other.created)),
        ),
      );
      return { points: points.flat() };
    },
  );
}

/** Starts a long run, and checks that it is running. */
async function started(io: Io, plan: SubjectPlan, other: Exchange): Promise<Made | Unmade> {
  const { responses, target, word } = io;
  const { mode, home: region } = plan;
  try {
    const secret = word();
    const model = present(designs.actsAt(target).modelFor(mode), 'model').id;
    const cut = mode === 'background-stream' ? { cut: textBegun } : {};
    const body = { ...longRun(secret, io), model, store: true };
    if (mode === 'background-stream' && plan.fate === 'deleted') {
      const { id, stream } = await leftOpen(io, body, region);
      const seen = await responses.lookup(id, { region });
      assumeDistinctIds([seen], [other]);
      return { region, model, id, created: seen, seen, word: secret, text: '', item: null, stream };
    }
    const created = await creations[mode].send(responses, body, { region, ...cut });
    assumeDistinctIds([created], [other]);
    const id = idOfLongRun(created);
    const seen = await responses.lookup(id, { region });
    return { region, model, id, created, seen, word: secret, text: '', item: null };
  } catch (error) {
    return whyNot(io, plan, error);
  }
}

async function whileItRuns(io: Io, plan: SubjectPlan, made: Made | Unmade): Promise<Point[]> {
  const own = laneOf(plan);
  const cells = cellsOn(io.target, plan, () => true);
  const isNow = ({ state, reason }: Cell) => state === 'running' && reason !== 'deleted';
  const end = cells.find((cell) => isNow(cell) && isEnd(cell));
  const now = stillRunning(made);
  const tried = await Promise.all(
    (Object.keys(groups) as Group[]).map((group) =>
      tryAtOnce(
        (n) => io.lane(`${own}-${group}-${n}`),
        cells.filter((cell) => isNow(cell) && isAmong(group, cell) && cell !== end),
        now,
      ),
    ),
  );
  const then = cells.filter((cell) => !isNow(cell));
  return [...tried.flat(), ...(await ended(io, own, made, end, then))];
}

/** Blocks the acts on a running response if it ended before they could be tried. */
function stillRunning(made: Made | Unmade): Made | Unmade {
  if (isUnmade(made)) return made;
  try {
    notApplicableOnceEnded(made.seen);
  } catch (error) {
    if (error instanceof NothingToJudge) return error;
    throw error;
  }
  return isGoingOn(made.seen) ? made : new Inconclusive(endedTooSoon, made.seen);
}

export function isEnd(cell: Cell): boolean {
  return isGranted(cell) && (cell.operation === 'cancel' || cell.operation === 'delete');
}

function isGoingOn(lookup: Exchange): boolean {
  return goingOn.includes(contentOf(lookup).ending);
}

/** Starts a streamed run, and leaves its stream open. */
async function leftOpen(
  { responses }: Io,
  body: Fields,
  region: string,
): Promise<{ readonly id: string; readonly stream: Promise<Exchange> }> {
  let name = (_id: string | null): void => {};
  const named = new Promise<string | null>((resolve) => {
    name = resolve;
  });
  const onFirstEvent = (data: string): void => name(json.text(json.parsed(data), 'response.id'));
  const stream = responses.stream({ ...body, background: true }, { region, onFirstEvent });
  const first = await Promise.race([named, stream.then(() => null)]);
  // A gateway may show the response id in a later event than the first, or none.
  return { id: first ?? idOfLongRun(await stream), stream };
}

/** Ends the run with a key that may, and then tries the acts that must be denied. */
async function ended(
  io: Io,
  lane: string,
  made: Made | Unmade,
  end: Cell | undefined,
  then: readonly Cell[],
): Promise<Point[]> {
  if (end === undefined || isUnmade(made)) {
    const cells = end === undefined ? then : [end, ...then];
    const blocked = isUnmade(made) ? made : new Inconclusive('nothing ended the run');
    return cells.map((cell) => ({ cell, blocked }));
  }
  if (end.operation === 'delete') {
    if (made.stream === undefined) return deletedFor(io, lane, made, [end, ...then]);
    const before = await io.lane(lane).responses.lookup(made.id, { region: end.home });
    const points = await deletedFor(io, lane, made, [end, ...then]);
    const open = { stream: await made.stream, before };
    return points.map((one) => (one.cell === end ? { ...one, open } : one));
  }
  // A response that has ended cannot be cancelled, but can be read like any other.
  const now = stillRunning(made);
  if (isUnmade(now)) return [{ cell: end, blocked: now }, ...(await tryAll(io, lane, then, made))];
  const { responses } = io.lane(lane);
  const attempt = await actRequest(end).send(io.lane(lane), made, askedAs(end));
  const done = attempt.response?.status ?? 0;
  if (end.reason === 'second-key' && done >= 400) {
    // The rest of the run has no reader, and costs the user money.
    await responses.cancel(made.id, { region: end.home });
  }
  const seen = await responses.lookup(made.id, { region: end.home });
  const point: Point = { cell: end, made, attempt, owner: { before: made.seen, after: seen } };
  if (isGoingOn(seen)) {
    // Text that the run still writes must not be blamed on later acts.
    const blocked = new Inconclusive('the run went on after its cancel', seen);
    return [point, ...then.map((cell) => ({ cell, blocked }))];
  }
  const endedFirst = isRefused(attempt) && contentOf(seen).ending !== 'cancelled';
  const cancel = endedFirst
    ? { cell: end, blocked: new NothingToJudge('the run had ended by itself before its cancel') }
    : point;
  const stopped = { ...made, seen, text: contentOf(seen).text };
  return [cancel, ...(await tryAll(io, lane, then, stopped))];
}
