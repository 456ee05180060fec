import {
  assumeServed,
  baseUrlOf,
  byAnotherChannel,
  type Captures,
  type Cell,
  check,
  contentOf,
  type Exchange,
  each,
  expect,
  expectValue,
  Inconclusive,
  isRefused,
  isServed,
  type JudgeContext,
  json,
  judgeEach,
  NothingToJudge,
  type RequirementOver,
  type Scenario,
  type StoredOperationName,
  type Target,
  type View,
  view,
} from '../../../harness/index.ts';
import {
  expectedOf,
  hasReason,
  inWords,
  type Reason,
  reasons,
  rowOf,
  wayOf,
} from '../../../harness/kernel/model/index.ts';
import { baseline } from '../baselines.ts';
import { present } from '../exchanges.ts';
import { served } from '../stored/served-operations.ts';
import { expectNotServed, running as goingOn } from '../stored/stored-responses.ts';
import { countedInput, expectNoMoreRead } from '../token-counts.ts';
import { acted, deleted, expired, keylessUnstored, type Points } from './acted.ts';
import { isKeyless, made, NoWebSocket, unstored } from './made.ts';
import { isTried, isUnmade, type Point, type Subject, type Tried } from './points.ts';
import { isEnd, running } from './running.ts';

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

/** Returns a scenario with the points of a reason on responses of one creation mode. */
export function fewPointsFor(reason: Reason): Scenario<Points> {
  return present(Object.values(sources[reason])[0]?.['one-body'], reason);
}

/** Responses made in one body, each in its region. They may be gone by now. */
export const madeInOneBody = view({ made: made['one-body'] }, ({ made: { subjects } }) =>
  subjects.flatMap(({ made }) => (isUnmade(made) ? [] : [made])),
);

/** Acts that end a run, each in the region that made it. */
export const ends: View<Points> = view(running, (byMode) => ({
  points: Object.values(byMode)
    .flatMap(({ points }) => points)
    .filter(({ cell }) => isEnd(cell)),
}));

/** Deletions of stored and of running responses by a key of their user, each in the region that made them. */
export const deletions: View<Points> = view(
  { tried: pointsIn({ deleted, running }) },
  ({ tried }) => ({
    points: tried.filter(({ cell }) => isEnd(cell) && cell.operation === 'delete'),
  }),
);

function pointsIn(some: Sources): View<readonly Point[]> {
  const scenarios = Object.entries(some).flatMap(([name, byMode]) =>
    Object.entries(byMode).map(([mode, one]) => [`${name} ${mode}`, one] as const),
  );
  return view(Object.fromEntries(scenarios), (all) =>
    Object.values(all).flatMap(({ points }) => points),
  );
}

export const pointsFor: Readonly<Record<Reason, View<Points>>> = each(reasons, (reason) => {
  const tried = pointsIn(sources[reason]);
  return view({ tried, sockets: made.websocket }, ({ tried, sockets }) => ({
    points: tried
      .filter(({ cell }) => cell.reason === reason)
      .map((point) => withoutWebSocket(point, sockets.subjects)),
  }));
});

/** Blocks a point that needs a WebSocket in a region without one, unless it was served anyway. */
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

/** Judges every matching point: all must pass, and an undecided point leaves the check undecided. */
export function judgePoints({ points }: Points, fits: Fits, judge: (tried: Tried) => void) {
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

/** Exchanges that must be served before a denial proves anything. */
interface Controls {
  /** Operation of the same kind by the owner. */
  readonly served: Exchange;
  /** Acts of the owner, including one of the same form in the same region. */
  readonly none: Points;
  /** Exchanges that show that the denied party can use the endpoint at all. */
  readonly able?: readonly Exchange[];
  /** Acts of a second key of the same user. */
  readonly second: Points;
  readonly target: Target;
}

/** Judges a denial: the request is refused, shows none of the stored content, and changes nothing. */
function expectDenial(tried: Tried, { served, none, able = [], second, target }: Controls): void {
  const { cell, attempt, goodTurn, made, owner } = tried;
  if (goodTurn !== undefined && cell.reason === 'other-region' && isRefused(goodTurn)) {
    throw new NothingToJudge(`${cell.through} has no model for a good turn`);
  }
  const controls = [served, ...able, ...(goodTurn === undefined ? [] : [goodTurn])];
  // A response that is not stored cannot be looked up.
  if (cell.reason !== 'unstored') controls.push(made.seen);
  if (cell.key === 'sameUser') controls.push(servedToSecond(second));
  const alike = bestControl(none, (one) => isControlOf(one, cell));
  if (alike !== undefined) {
    // A form that is refused to the owner is refused to everybody.
    if (cell.requestMode !== 'path' && isRefused(alike.attempt)) {
      throw new NothingToJudge(`${wayOf(cell)} is refused to the owner, too`);
    }
    if (!isServed(alike.attempt, servedOf(alike.cell))) controls.push(alike.attempt);
  }
  const secret = secretsFor(tried);
  if (cell.reason === 'deleted' && cell.operation === 'delete' && isServed(attempt)) {
    // A second deletion has nothing left to do, and may well answer with 2xx.
    assumeServed(controls);
    expect(attempt).toShowNoneOf(secret);
    return;
  }
  if (cell.requestMode === 'background' && attempt.about.operation === 'responses.lookup') {
    expectNotServed(attempt, controls, secret);
    return;
  }
  expect(attempt).toBeDenied({ secret, control: controls, home: homeOf(cell, target) });
  if (owner !== undefined) expectUnchanged(owner);
}

/** Returns the base URL of the region that created the response, for an act through another region. */
function homeOf(cell: Cell, target: Target): string | undefined {
  const region = target.regions.find(({ name }) => name === cell.home);
  return !hasReason(cell, 'other-region') || region === undefined
    ? undefined
    : baseUrlOf('responses', region, target);
}

/** Returns the options for judging a served answer to the cell. */
export function servedOf({ state, operation }: Cell): { readonly stopped: boolean } {
  return { stopped: state === 'cancelled' && operation === 'recover' };
}

/** Returns the exchange that shows that the second key works. */
function servedToSecond(points: Points): Exchange {
  const tried = bestControl(points, ({ operation }) => operation === 'lookup');
  if (tried === undefined) throw new Inconclusive('the second key was not tried on what is there');
  return tried.attempt;
}

/** Returns an act that was served, if one was: another may have been refused because its response is gone. */
function bestControl({ points }: Points, fits: Fits): Tried | undefined {
  const fitting = (one: Point): one is Tried => fits(one.cell) && isTried(one);
  const serves = ({ cell, attempt }: Tried): boolean => isServed(attempt, servedOf(cell));
  return points.find((one): one is Tried => fitting(one) && serves(one)) ?? points.find(fitting);
}

function isControlOf(one: Cell, cell: Cell): boolean {
  return one.reason === 'none' && one.home === cell.home && wayOf(one) === wayOf(cell);
}

/** Judges that an act changed nothing. A run that goes on must not have been stopped. */
function expectUnchanged({ before, after }: NonNullable<Tried['owner']>): void {
  expect(after).toHaveSameAnswerAs(before);
  if (!goingOn.includes(contentOf(before).ending)) return;
  expectValue(contentOf(after).ending, { as: 'status', of: after }).toBe(
    'as before the attempt, or that of a run that ended by itself',
    (status) => status !== 'cancelled',
  );
}

/** Number of consecutive words that a denial cannot contain by chance. */
const inARow = 6;

/** Returns the texts that a denial must not show: the word of the input, and sequences of words of the output. */
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
  // An error may quote the request.
  return [word, ...rows].filter((one) => !asked.includes(one.toLowerCase()));
}

/** Judges a call that names the response without continuing it: refused, or served as if the response did not exist. */
function expectNotRead({ attempt, alone, made }: Tried, control: readonly Exchange[]): void {
  expect(attempt).toShowNoneOf([made.word]);
  if (alone === undefined) {
    expect(attempt).toBeDenied({ secret: [made.word], control });
    return;
  }
  const { unknown, without } = alone;
  assumeServed(without);
  // A gateway that reads a reference as plain text counts tokens for it, no matter which item it names.
  const [asText, own] = [unknown && countedInput(unknown), countedInput(without)];
  if (asText != null && own !== null && asText > byAnotherChannel(own)) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectNoMoreRead(attempt, without);
}

/** Operations that name a response without continuing it. */
type IndirectOperation = Exclude<Cell['operation'], StoredOperationName>;

const nothing: Captures<readonly Exchange[]> = view({}, () => []);

function pointsOf(
  reasons: readonly Reason[],
  more: Readonly<Record<string, Scenario<Points>>> = {},
): View<Points> {
  const all = Object.fromEntries(reasons.map((reason) => [reason, pointsFor[reason]]));
  return view({ ...all, ...more }, (seen) => ({
    points: Object.values(seen).flatMap(({ points }) => points),
  }));
}

/**
 * Binds a requirement that each operation is denied for these reasons.
 *
 * @param able exchanges that show that the denied party can use the endpoint at all
 */
export function checkDenied(
  requirement: RequirementOver<StoredOperationName>,
  reasons: readonly Reason[],
  able = nothing,
): void {
  check.each(requirement, (operation: StoredOperationName) =>
    denied(operation, `${requirement}:${operation}`, reasons, able),
  );
}

export function denied(
  operation: StoredOperationName,
  id: string,
  reasons: readonly Reason[],
  able: Captures<readonly Exchange[]>,
) {
  return {
    on: {
      ...{ tried: pointsOf(reasons), none: pointsFor.none, second: pointsFor['second-key'] },
      ...{ control: served[operation], able },
    },
    judge: ({ tried, none, second, control, able }: Denials, { target }: JudgeContext) =>
      judgePoints(tried, belongsTo(id), (point) =>
        expectDenial(point, { served: control.served, none, able, second, target }),
      ),
  };
}

/** The sides of two reasons that meet, and the reasons that name the first. */
const firstOf = {
  'key-region': ['no-key', 'unknown-key', 'other-user', 'restricted', 'under-another-model'],
  'deleted-key': ['deleted'],
  'deleted-region': ['deleted'],
  'expired-key': ['expired'],
  'expired-region': ['expired'],
  'unstored-key': ['unstored'],
  'unstored-region': ['unstored'],
} as const satisfies Readonly<Record<string, readonly Reason[]>>;
type TwoSides = keyof typeof firstOf;

/**
 * Binds a requirement that acts are denied for two reasons at once, each of which other checks judge alone. Where the
 * specification leaves the answer to a deleted or unstored response open, it shows nothing of the content.
 */
export function checkTwiceDenied(requirement: RequirementOver<TwoSides>): void {
  check.each(requirement, (sides: TwoSides) => ({
    on: {
      tried: pointsOf(firstOf[sides], sides === 'unstored-key' ? keylessUnstored : {}),
      ...{ none: pointsFor.none, second: pointsFor['second-key'] },
    },
    judge: ({ tried, none, second }, { target }) =>
      judgePoints(tried, belongsTo(`${requirement}:${sides}`), (point) => {
        const { cell, attempt, made } = point;
        if (cell.operation === 'input-tokens') {
          expectNotRead(point, [made.created]);
        } else if (mayBeServedEmpty(cell)) {
          assumeServed(made.created);
          expect(attempt).toShowNoneOf(secretsFor(point));
        } else {
          expectDenial(point, { served: made.created, none, second, target });
        }
      }),
  }));
}

/** True if the specification leaves open how such an act on a deleted or unstored response is answered. */
function mayBeServedEmpty(cell: Cell): boolean {
  if (cell.reason === 'expired' || isKeyless(cell)) return false;
  const alone = { ...cell, second: null, through: cell.home };
  return expectedOf(alone).outcome === 'either';
}

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

/** Binds a requirement that no call reads the response that it names without continuing it. */
export function checkNotRead(
  requirement: RequirementOver<IndirectOperation>,
  reason: Reason,
  able = nothing,
): void {
  check.each(requirement, (operation: IndirectOperation) => ({
    on: { tried: pointsOf([reason]), control: baseline[capability[operation]], able },
    judge: ({ tried, control, able }) =>
      judgePoints(tried, belongsTo(`${requirement}:${operation}`), (point) =>
        expectNotRead(point, [control.baseline, ...able]),
      ),
  }));
}

/** True for an act of the owner on a given response that has to be served, and changes nothing. */
function isServedToOwner(cell: Cell): boolean {
  return cell.reason === 'none' && cell.operation !== 'delete' && isCertain(cell);
}

/** Judges what the owner gets: each act is served, and input items contain the text that was sent. */
export function judgeServed(none: Points, id: string | null) {
  return judgePoints(
    none,
    id === null ? isServedToOwner : belongsTo(id),
    ({ cell, attempt, made }) => {
      assumeServed(made.created);
      expect(attempt).toBeServed(servedOf(cell));
      if (cell.operation !== 'input-items') return;
      if (cell.requestMode === 'page' && cell.mode === 'continuation') {
        // An earlier turn may fill the first page.
        expect(attempt).toHave('an item', (body) => json.list(body, 'data').length > 0);
        return;
      }
      expect(attempt).toHave(`an item with the text that was sent, with ${made.word}`, (body) =>
        JSON.stringify(body).includes(made.word),
      );
    },
  );
}

/** True for an act that the specification decides, rather than one that other sources only recommend to deny. */
export function isCertain(cell: Cell): boolean {
  return expectedOf(cell).outcome !== 'either';
}

/** Judges the denied acts on a given response: refused to its owner, or gone with its deletion. */
export function judgeDenied(
  { acted, control: { baseline: served } }: GivenActs,
  fits: Fits,
  { target }: JudgeContext,
) {
  // A cancel that is left open is no control.
  const none = { points: acted.points.filter(({ cell }) => isCertain(cell)) };
  const controls = { served, none, second: { points: [] }, target };
  return judgePoints(acted, fits, (point) => {
    if (point.cell.reason === 'deleted') expectDenial(point, controls);
    else expect(point.attempt).toBeRefused({ control: point.made.seen });
  });
}

/** @throws {Inconclusive | NothingToJudge} if the act was not tried */
export function attemptIn({ points }: Points, fits: Fits): Exchange {
  const point = present(
    points.find(({ cell }) => fits(cell)),
    'act',
  );
  if (!isTried(point)) throw point.blocked;
  return point.attempt;
}

interface GivenActs {
  readonly acted: Points;
  readonly control: { readonly baseline: Exchange };
}
