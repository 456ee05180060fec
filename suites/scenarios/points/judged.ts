import {
  assumeServed,
  type Cell,
  type Exchange,
  ExpectationFailed,
  each,
  ending,
  expect,
  expectValue,
  Inconclusive,
  inputTokens,
  isGranted,
  isRefused,
  isServed,
  type Needs,
  NothingToJudge,
  type Reason,
  requestText,
  type Scenario,
  scenario,
  type Target,
  tokenCount,
  wayOf,
} from '../../../harness/index.ts';
import { expectNotServed } from '../requests/accepted-requests.ts';
import { acted, type Points } from './acted.ts';
import { gone } from './gone.ts';
import { made, unstored } from './made.ts';
import { isTried, type Point, type Tried } from './points.ts';
import { running } from './running.ts';

const needed: Readonly<Record<Reason, Needs>> = {
  none: {},
  'second-key': { keys: ['sameUser'] },
  'no-key': {},
  'unknown-key': {},
  'other-user': { keys: ['otherUser'] },
  restricted: { keys: ['restricted'] },
  'under-another-model': { keys: ['restricted'] },
  'other-region': { regions: 2 },
  deleted: {},
  expired: { probes: ['clock'] },
  unstored: {},
};

type Sources = Readonly<Record<string, Readonly<Record<string, Scenario<Points>>>>>;

const sources: Readonly<Record<Reason, Sources>> = {
  none: { made, served: acted.served, running },
  'second-key': { served: acted.served, running, gone },
  'no-key': { acted: acted.keyless, running },
  'unknown-key': { acted: acted.keyless, running },
  'other-user': { acted: acted['other-user'], running },
  restricted: { acted: acted.restricted, running },
  'under-another-model': { acted: acted.restricted, running },
  'other-region': { acted: acted['other-region'], running },
  deleted: { gone, running },
  expired: { gone },
  unstored: { unstored },
};

/** All that was tried for one reason. It sends nothing: it says what the reason takes of a target. */
export const pointsFor = each(Object.keys(needed) as Reason[], (reason) =>
  scenario(
    `points/for/${reason}`,
    {
      needs: needed[reason],
      after: Object.fromEntries(
        Object.entries(sources[reason]).flatMap(([name, byMode]) =>
          Object.entries(byMode).map(([mode, one]) => [`${name} ${mode}`, one] as const),
        ),
      ),
      cost: { requests: 0, generations: 0 },
    },
    async (_, sources): Promise<Points> => ({
      points: Object.values(sources)
        .flatMap(({ points }) => points)
        .filter(({ cell }) => cell.reason === reason),
    }),
  ),
);

/** The way in of a cell: `lookup`, `compact`. */
type Fits = (cell: Cell) => boolean;

/** Those of one operation, while the response ran, or else when it had ended. */
export function of(operation: string, state: 'running' | 'ended' = 'ended'): Fits {
  return (cell) =>
    cell.operation === operation &&
    (cell.state === 'running' && cell.reason !== 'deleted') === (state === 'running');
}

/**
 * Judges every point that fits: all have to hold. The first that does not is told, and how many they are.
 */
export function expectPoints(
  { points }: Points,
  fits: Fits,
  judge: (tried: Tried) => void,
): void {
  const own = points.filter(({ cell }) => fits(cell));
  const failed: { readonly cell: Cell; readonly error: ExpectationFailed }[] = [];
  const undecided: Inconclusive[] = [];
  let judged = 0;
  for (const point of own) {
    try {
      if (!isTried(point)) throw point.blocked;
      judge(point);
      judged++;
    } catch (error) {
      if (error instanceof ExpectationFailed) failed.push({ cell: point.cell, error });
      else if (error instanceof Inconclusive) undecided.push(error);
      else if (!(error instanceof NothingToJudge)) throw error;
    }
  }
  const [first] = failed;
  if (first !== undefined) {
    const { expected, actual, exchange } = first.error;
    const where = `${inWords(first.cell)}; in ${failed.length} of ${own.length} cells`;
    throw new ExpectationFailed(expected, `${actual} (${where})`, exchange);
  }
  const [open] = undecided;
  if (open !== undefined) throw open;
  if (judged === 0) throw new NothingToJudge('the target has nothing that this can be tried with');
}

const reasonInWords: Readonly<Record<Reason, string>> = {
  none: 'for the owner',
  'second-key': 'for a second key of the user',
  'no-key': 'without a key',
  'unknown-key': 'with an unknown key',
  'other-user': 'for another user',
  restricted: 'for a key without its model',
  'under-another-model': 'for a key without its model, under another model',
  'other-region': 'through another region',
  deleted: 'after its deletion',
  expired: 'after its retention',
  unstored: 'with `store: false`',
};

/** Where a point lies: who asked how for what. */
function inWords(cell: Cell): string {
  const { reason, home, through, mode, state } = cell;
  const region = through === home ? home : `${home}, asked in ${through}`;
  const stood = state === 'finished' ? '' : `, ${state}`;
  return `${wayOf(cell)} ${reasonInWords[reason]}: made by ${mode} in ${region}${stood}`;
}

/** What has to be served before a denial says anything. */
export interface Controls {
  /** The same operation, done by the owner. */
  readonly served: Exchange;
  /** What was served to the owner otherwise: in the same form, in the same region. */
  readonly none: Points;
  /** What shows that who tries can do so at all. */
  readonly able?: readonly Exchange[];
  readonly target: Target;
}

/** Judges a denial: refused, nothing shown of what was stored, and nothing changed. */
export function expectDenial(tried: Tried, { served, none, able = [], target }: Controls): void {
  const { cell, attempt, goodTurn, made, owner } = tried;
  const controls = [served, ...able, ...(goodTurn === undefined ? [] : [goodTurn])];
  // What was not stored cannot be looked up by anybody.
  if (cell.reason !== 'unstored') controls.push(made.seen);
  const alike = none.points.filter(isTried).find((one) => isControlOf(one.cell, cell));
  if (alike !== undefined) {
    // Who refuses the form refuses it to everybody.
    if (cell.requestMode !== 'path' && isRefused(alike.attempt)) {
      throw new NothingToJudge(`${wayOf(cell)} is refused to the owner, too`);
    }
    controls.push(alike.attempt);
  }
  const secret = secretsFor(tried);
  if (cell.reason === 'deleted' && cell.operation === 'delete' && isServed(attempt)) {
    // Where it is deleted already, a deletion has nothing left to do, and may well say so with 2xx.
    assumeServed(controls);
    expect(attempt).toShowNoneOf(secret);
    return;
  }
  if (cell.requestMode === 'background' && attempt.about.operation === 'responses.lookup') {
    expectNotServed(attempt, controls, secret);
    return;
  }
  const home =
    cell.reason === 'other-region'
      ? target.regions.find(({ name }) => name === cell.home)?.baseUrl
      : undefined;
  expect(attempt).toBeDenied({ secret, control: controls, home });
  if (owner !== undefined) expectUnchanged(cell, owner);
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

/** What a denial may not show: the word of the input, and any words in a row of the output. */
function secretsFor({ made: { word, text }, attempt }: Tried): string[] {
  const asked = requestText(attempt).toLowerCase();
  const words = text.split(/\s+/).filter((one) => one !== '');
  const rows = words.slice(0, 60).flatMap((_, n) => {
    const row = words.slice(n, n + inARow);
    return row.length === inARow && n % 3 === 0 ? [row.join(' ')] : [];
  });
  // An error may well quote what was asked.
  return [word, ...rows].filter((one) => !asked.includes(one.toLowerCase()));
}

/** Judges a call that names the response besides: refused, or as if the response were not there. */
export function expectNotRead({ attempt, alone, made }: Tried, control: readonly Exchange[]): void {
  expect(attempt).toShowNoneOf([made.word]);
  if (alone === undefined) {
    expect(attempt).toBeDenied({ secret: [made.word], control });
    return;
  }
  const { unknown, without } = alone;
  assumeServed(without);
  const [read, own, none] = [attempt, without, unknown].map((one) => one && countedInput(one));
  if (read == null || own == null) return;
  // Read as the text that it is, a reference has tokens of its own, whatever it names.
  if (none != null && none > own) {
    throw new NothingToJudge('a reference to an item that does not exist is counted, too');
  }
  expectValue(read, { as: 'counted input tokens', of: attempt }).toBeAtMost(own);
}

function countedInput(exchange: Exchange): number | null {
  return tokenCount(exchange) ?? inputTokens(exchange);
}

