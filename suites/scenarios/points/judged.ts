import {
  assumeServed,
  baseUrlOf,
  type Captures,
  type Cell,
  countsMore,
  type Exchange,
  each,
  ending,
  expect,
  expectValue,
  Inconclusive,
  inWords,
  isRefused,
  isServed,
  type JudgeContext,
  type JudgedPoints,
  judgeEach,
  listAt,
  NothingToJudge,
  type Reason,
  reasons,
  rowOf,
  type Scenario,
  type StoredOperationName,
  type Target,
  type View,
  view,
  wayOf,
} from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { expectNotServed } from '../requests/accepted-requests.ts';
import { served } from '../stored/served-operations.ts';
import { countedInput, expectNoMoreRead } from '../token-counts.ts';
import { acted, type Points } from './acted.ts';
import { deleted, expired } from './gone.ts';
import { made, NoWebSocket, unstored } from './made.ts';
import { isTried, type Point, type Tried } from './points.ts';
import { running } from './running.ts';
import type { Subject } from './subject.ts';

type Sources = Readonly<Record<string, Readonly<Record<string, Scenario<Points>>>>>;

const sources: Readonly<Record<Reason, Sources>> = {
  none: { made, served: acted.served, running },
  'second-key': { served: acted.served, running, deleted },
  'no-key': { acted: acted.keyless, running },
  'unknown-key': { acted: acted.keyless, running },
  'other-user': { acted: acted['other-user'], running },
  restricted: { acted: acted.restricted, running },
  'under-another-model': { acted: acted.restricted, running },
  'other-region': { acted: acted['other-region'], running },
  deleted: { deleted, running },
  expired: { expired },
  unstored: { unstored },
};

/** All that was tried for one reason. */
export const pointsFor: Readonly<Record<Reason, View<Points>>> = each(reasons, (reason) => {
  const tried = view(
    Object.fromEntries(
      Object.entries(sources[reason]).flatMap(([name, byMode]) =>
        Object.entries(byMode).map(([mode, one]) => [`${name} ${mode}`, one] as const),
      ),
    ),
    (sources) => Object.values(sources).flatMap(({ points }) => points),
  );
  return view({ tried, sockets: made.websocket }, ({ tried, sockets }) => ({
    points: tried
      .filter(({ cell }) => cell.reason === reason)
      .map((point) => withoutWebSocket(point, sockets.subjects)),
  }));
});

/** Blocks a point that needs a WebSocket in a region without one, unless it is served all the same. */
function withoutWebSocket(point: Point, subjects: readonly Subject[]): Point {
  const { cell } = point;
  if (isTried(point) && isServed(point.attempt)) return point;
  const none = subjects.map(({ made }) => made).filter((made) => made instanceof NoWebSocket);
  const missing = (region: string) => none.find((one) => one.region === region);
  const blocked =
    (cell.mode === 'websocket' ? missing(cell.home) : undefined) ??
    (cell.operation === 'continue-websocket' ? missing(cell.through) : undefined);
  return blocked === undefined ? point : { cell, blocked };
}

type Fits = (cell: Cell) => boolean;

/** Judges every point that fits: all have to hold, and one that decides nothing leaves it open. */
export function judgePoints(
  { points }: Points,
  fits: Fits,
  judge: (tried: Tried) => void,
): JudgedPoints {
  return judgeEach(
    points.filter(({ cell }) => fits(cell)),
    ({ cell }) => inWords(cell),
    (point) => {
      if (!isTried(point)) throw point.blocked;
      judge(point);
    },
    { noun: 'act', needsAll: true },
  );
}

/** Exchanges that have to be served before a denial proves anything. */
interface Controls {
  /** Operation of the same kind by the owner. */
  readonly served: Exchange;
  /** Acts of the owner, among them one of the same form in the same region. */
  readonly none: Points;
  /** Exchanges that show that the one who tries can use the endpoint at all. */
  readonly able?: readonly Exchange[];
  /** Acts of a second key of the user. */
  readonly second: Points;
  readonly target: Target;
}

/** Judges a denial: refused, nothing shown of what was stored, and nothing changed. */
function expectDenial(tried: Tried, { served, none, able = [], second, target }: Controls): void {
  const { cell, attempt, goodTurn, made, owner } = tried;
  if (goodTurn !== undefined && cell.reason === 'other-region' && isRefused(goodTurn)) {
    throw new NothingToJudge(`${cell.through} has no model for a good turn`);
  }
  const controls = [served, ...able, ...(goodTurn === undefined ? [] : [goodTurn])];
  // Nobody can look up a response that was not stored.
  if (cell.reason !== 'unstored') controls.push(made.seen);
  if (cell.key === 'sameUser') controls.push(servedToSecond(second));
  const alike = none.points.filter(isTried).find((one) => isControlOf(one.cell, cell));
  if (alike !== undefined) {
    // A form that is refused to the owner is refused to everybody.
    if (cell.requestMode !== 'path' && isRefused(alike.attempt)) {
      throw new NothingToJudge(`${wayOf(cell)} is refused to the owner, too`);
    }
    if (!isServed(alike.attempt, servedOf(alike.cell))) controls.push(alike.attempt);
  }
  const secret = secretsFor(tried);
  if (cell.reason === 'deleted' && cell.operation === 'delete' && isServed(attempt)) {
    // A second deletion has nothing left to do, and may well say so with 2xx.
    assumeServed(controls);
    expect(attempt).toShowNoneOf(secret);
    return;
  }
  if (cell.requestMode === 'background' && attempt.about.operation === 'responses.lookup') {
    expectNotServed(attempt, controls, secret);
    return;
  }
  expect(attempt).toBeDenied({ secret, control: controls, home: homeOf(cell, target) });
  if (owner !== undefined) expectUnchanged(cell, owner);
}

/** Returns the base URL of the region that made the response, for an act through another one. */
function homeOf({ reason, home }: Cell, target: Target): string | undefined {
  const region = target.regions.find(({ name }) => name === home);
  return reason !== 'other-region' || region === undefined
    ? undefined
    : baseUrlOf('responses', region, target);
}

/** Returns the options by which a served answer to a cell is judged. */
export function servedOf({ state, operation }: Cell): { readonly stopped: boolean } {
  return { stopped: state === 'cancelled' && operation === 'recover' };
}

/**
 * Returns the exchange that shows that the second key is a good one. @throws {Inconclusive} if it was tried
 * nowhere
 */
function servedToSecond({ points }: Points): Exchange {
  const tried = points.filter(isTried).find(({ cell }) => cell.operation === 'lookup');
  if (tried === undefined) throw new Inconclusive('the second key was not tried on what is there');
  return tried.attempt;
}

function isControlOf(one: Cell, cell: Cell): boolean {
  return one.reason === 'none' && one.home === cell.home && wayOf(one) === wayOf(cell);
}

/** A run goes on by itself, so all that can be said of one is that nobody stopped it. */
function expectUnchanged(cell: Cell, { before, after }: NonNullable<Tried['owner']>): void {
  if (cell.state !== 'running') {
    expect(after).toHaveSameAnswerAs(before);
    return;
  }
  expect(after).toBeServed();
  expectValue(ending(after), { as: 'status', of: after }).toBe(
    'as before the attempt, or that of a run that ended by itself',
    (status) => status !== 'cancelled',
  );
}

/** Words in a row that a denial cannot hold by chance. */
const inARow = 6;

/** Returns the texts that a denial may not show: the word of the input, and rows of words of the output. */
function secretsFor({ made: { word, text }, attempt }: Tried): string[] {
  const { request, socket } = attempt;
  const sent = socket?.frames.filter(({ from }) => from === 'us').map(({ data }) => data) ?? [];
  const asked = Buffer.concat([request.body ?? new Uint8Array(), ...sent])
    .toString()
    .toLowerCase();
  const words = text.split(/\s+/).filter((one) => one !== '');
  const rows = words.slice(0, 60).flatMap((_, n) => {
    const row = words.slice(n, n + inARow);
    return row.length === inARow && n % 3 === 0 ? [row.join(' ')] : [];
  });
  // An error may well quote what was asked.
  return [word, ...rows].filter((one) => !asked.includes(one.toLowerCase()));
}

/** Judges a call that names the response besides: refused, or as if the response were not there. */
function expectNotRead({ attempt, alone, made }: Tried, control: readonly Exchange[]): void {
  expect(attempt).toShowNoneOf([made.word]);
  if (alone === undefined) {
    expect(attempt).toBeDenied({ secret: [made.word], control });
    return;
  }
  const { unknown, without } = alone;
  assumeServed(without);
  // Read as the text that it is, a reference has tokens of its own, whatever it names.
  const [asText, own] = [unknown && countedInput(unknown), countedInput(without)];
  if (asText != null && own !== null && countsMore(asText, own)) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectNoMoreRead(attempt, without);
}

/** Calls that name a response besides, and are no continuation of it. */
export type IndirectOperation = Exclude<Cell['operation'], StoredOperationName>;

const nothing: View<readonly Exchange[]> = view({}, () => []);

/** A check, and the reasons whose points of the design belong to it. */
interface Row {
  /** With the value of its axis. */
  readonly id: string;
  readonly reasons: readonly Reason[];
  /** Exchanges that show that the one who tries can use the endpoint at all. */
  readonly able?: Captures<readonly Exchange[]>;
}

function pointsOf(reasons: readonly Reason[]): View<Points> {
  return view(Object.fromEntries(reasons.map((reason) => [reason, pointsFor[reason]])), (all) => ({
    points: Object.values(all).flatMap(({ points }) => points),
  }));
}

/** A check that an operation is denied. */
export function denied(operation: StoredOperationName, { id, reasons, able = nothing }: Row) {
  return {
    on: {
      tried: pointsOf(reasons),
      ...{
        none: pointsFor.none,
        second: pointsFor['second-key'],
        control: served[operation],
        able,
      },
    },
    judge: (
      { tried, none, second, control, able }: Denials,
      { target }: JudgeContext,
    ): JudgedPoints =>
      judgePoints(tried, belongsTo(id), (point) =>
        expectDenial(point, { served: control.served, none, able, second, target }),
      ),
  };
}

/** The cells of a check. */
export function belongsTo(id: string): Fits {
  return (cell) => rowOf(cell) === id;
}

interface Denials {
  readonly tried: Points;
  readonly none: Points;
  readonly second: Points;
  readonly control: { readonly served: Exchange };
  readonly able: readonly Exchange[];
}

const capability = {
  compact: 'compact',
  'input-tokens': 'input-tokens',
  'item-reference': 'responses',
} as const;

/** Returns a check that a call that names a response without continuing it does not read it. */
export function notRead(operation: IndirectOperation, { id, reasons, able = nothing }: Row) {
  return {
    on: { tried: pointsOf(reasons), control: baseline[capability[operation]], able },
    judge: ({ tried, control, able }: NotRead): JudgedPoints =>
      judgePoints(tried, belongsTo(id), (point) =>
        expectNotRead(point, [control.baseline, ...able]),
      ),
  };
}

interface NotRead {
  readonly tried: Points;
  readonly control: { readonly baseline: Exchange };
  readonly able: readonly Exchange[];
}

/** Judges what the owner is served: each act by itself, and of the input items that they are those that were sent. */
export function judgeServed(none: Points, id: string): JudgedPoints {
  return judgePoints(none, belongsTo(id), ({ cell, attempt, made }) => {
    assumeServed(made.created);
    expect(attempt).toBeServed(servedOf(cell));
    if (cell.operation !== 'input-items') return;
    if (cell.requestMode === 'page' && cell.mode === 'continuation') {
      // An earlier turn may stand on the first page.
      expect(attempt).toHave('an item', (body) => listAt(body, 'data').length > 0);
      return;
    }
    expect(attempt).toHave(`an item with the text that was sent, with ${made.word}`, (body) =>
      JSON.stringify(body).includes(made.word),
    );
  });
}
