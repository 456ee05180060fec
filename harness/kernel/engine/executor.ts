import { type CheckVerdict, sameId } from '../core/index.ts';
import { isLeftOpen, neverServed } from './again/index.ts';
import { obstacleTo, outcomeOf, outcomeOn } from './capture.ts';
import { ExchangePoints } from './exchange-points.ts';
import { judgedAt } from './home.ts';
import { judge, type Settled } from './judge.ts';
import { exchangesOf, type Outcome } from './outcome.ts';
import { type InRegion, joined, unlessMissing, unlessServed } from './regions.ts';
import {
  type CaptureCheck,
  type Check,
  type EverywhereCheck,
  type JudgedExchanges,
  type Place,
  placesOf,
} from './registry.ts';
import { type JudgedOn, scenariosIn, withPrerequisites } from './scenario.ts';
import { wholeRunOf } from './sent.ts';
import type { TargetRun } from './session.ts';
import { Turns } from './turns.ts';
import type { WholeRun } from './whole-run.ts';

/** Returns the verdict when everything that the check is judged on is available. */
type ReadyVerdict = () => Promise<CheckVerdict>;

/** Captures the scenarios that a check is judged on at a target, and waits for them. Never throws. */
export async function whenReady(run: TargetRun, check: Check): Promise<ReadyVerdict> {
  if (check.everywhere !== undefined) return everywhereReady(run, check);
  const places = await Promise.all(
    placesOf(check, run.target).map((place) => readyAt(run, check, place)),
  );
  return async () => joined(await Promise.all(places.map((judged) => judged())));
}

async function readyAt(
  run: TargetRun,
  { id, definition, judge: judgement, ofAny }: CaptureCheck,
  place: Place,
): Promise<() => Promise<InRegion>> {
  // The declaration of the check ties its judgement to the captures of these scenarios.
  const outcome = (await (ofAny === true ? outcomeOfAny : outcomeOn)(
    run,
    place.on,
  )) as Outcome<never>;
  const { target, lacksModels, hasModels } = await judgedAt(run, place);
  const settled = await settledIn(run, id, place.on);
  const { region } = place;
  return async () => {
    const at = { region, hasModels, evidenceOf: run.evidenceOf };
    const verdict = judge(definition, outcome, judgement, target, at, settled);
    if (region === null) return { region: run.target.regions[0]?.name ?? '', verdict };
    if (lacksModels) return { region, verdict: unlessServed(verdict) };
    return { region, verdict: await unlessMissing(verdict, () => wholeRunOf(run)) };
  };
}

/** Joins the lists that scenarios captured, without those that have nothing to judge. */
async function outcomeOfAny(run: TargetRun, on: JudgedOn): Promise<Outcome> {
  const outcomes = await Promise.all(scenariosIn(on).map((one) => outcomeOf(run, one)));
  await run.late?.();
  const open = outcomes.find(({ kind }) => kind === 'error' || kind === 'inconclusive');
  if (open !== undefined) return open;
  const all = outcomes.flatMap((one) => (one.kind === 'captured' ? one : []));
  const [first] = outcomes;
  if (all.length === 0 && first !== undefined) return first;
  return {
    kind: 'captured',
    captured: all.flatMap(({ captured }) => captured),
    exchanges: all.flatMap(({ exchanges }) => exchanges),
  };
}

/** Waits for the end of the run if that may decide an exchange that the check left open. */
async function settledIn(
  run: TargetRun,
  check: string,
  on: JudgedOn,
): Promise<Settled | undefined> {
  const { target } = run;
  // Nothing is sent to a client, so nothing is retried.
  if (target.client !== undefined) return undefined;
  const settled = await Promise.all(
    [...withPrerequisites(scenariosIn(on))].map(async (scenario) => {
      const outcome = await run.outcomes.get(scenario);
      return { scenario, exchanges: outcome === undefined ? [] : exchangesOf(outcome) };
    }),
  );
  if (!settled.some(({ exchanges }) => exchanges.some(isLeftOpen))) return undefined;
  const whole = await wholeRunOf(run);
  return (exchange, isExpected) => {
    if (exchange === null) return null;
    const isHostile = settled.some(
      ({ scenario, exchanges }) =>
        scenario.hostile !== null && exchanges.some(({ id }) => sameId(id, exchange.id)),
    );
    return neverServed(exchange, { check, isExpected, isHostile, target }, whole.exchanges);
  };
}

async function everywhereReady(
  run: TargetRun,
  { definition, everywhere }: EverywhereCheck,
): Promise<ReadyVerdict> {
  const judging = inPass(run, everywhere);
  const whole = await wholeRunOf(run);
  return async () => {
    const come = await judging(whole);
    if (come.broken !== null || !come.all.isEmpty) return come.verdict(definition, run.target);
    return come.verdict(definition, run.target, await whyNoPoints(run, everywhere.least));
  };
}

/** Returns the outcome that explains why there may be nothing to judge. Starts no scenario. */
async function whyNoPoints(run: TargetRun, least: JudgedOn): Promise<Outcome<null>> {
  const obstacle = obstacleTo(least, run.target);
  if (obstacle !== null) return obstacle;
  const scenarios = scenariosIn(least);
  const started = scenarios.flatMap((scenario) => run.outcomes.get(scenario) ?? []);
  for (const outcome of await Promise.all(started)) {
    if (outcome.kind !== 'captured') return outcome;
  }
  if (started.length === scenarios.length)
    return { kind: 'captured', captured: null, exchanges: [] };
  // Requests of other checks may be too few to judge this one.
  const reason = 'what would show it was not asked for';
  return { kind: 'not-applicable', reason, exchanges: [] };
}

/** Milliseconds of judging between two turns of the event loop. */
const atATime = 20;

interface PointsInPass {
  readonly by: JudgedExchanges;
  readonly points: ExchangePoints;
}

/**
 * Judges all checks of a run that apply everywhere in one pass, exchange by exchange. The parsed content of a long
 * answer is thereby read once and dropped afterwards.
 */
interface Pass {
  readonly all: PointsInPass[];
  over: Promise<void> | null;
}

const passes = new WeakMap<TargetRun, Pass>();

/** Joins the pass of a run. The first call of the returned function starts the pass. */
function inPass(run: TargetRun, by: JudgedExchanges): (whole: WholeRun) => Promise<ExchangePoints> {
  const known = passes.get(run);
  const pass: Pass = known === undefined || known.over !== null ? { all: [], over: null } : known;
  passes.set(run, pass);
  const points = new ExchangePoints();
  pass.all.push({ by, points });
  return async (whole) => {
    pass.over ??= judgeAll(pass.all, whole);
    await pass.over;
    return points;
  };
}

async function judgeAll(all: readonly PointsInPass[], whole: WholeRun): Promise<void> {
  const turns = new Turns(atATime);
  for (const exchange of whole.exchanges) {
    for (const { by, points } of all) {
      if (points.broken !== null) continue;
      try {
        if (!points.judge(by, exchange, whole)) continue;
      } catch (error) {
        points.broken = { error };
      }
      if (turns.isDue) await turns.giveWay();
    }
  }
}
