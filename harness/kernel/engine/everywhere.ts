import {
  type Area,
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type CheckVerdict,
  type Exchange,
  type FirstOf,
  loadCatalogue,
  type RuleOf,
  type SecondOf,
} from '../core/index.ts';
import {
  Inconclusive,
  isRefused,
  isServed,
  NothingToJudge,
  transientIn,
  turnsOf,
} from '../judge/index.ts';
import { obstacleTo } from './capture.ts';
import { registerEach } from './check.ts';
import { type Judged, passOf } from './everywhere-pass.ts';
import { judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import { type Check, type Everywhere, register } from './registry.ts';
import { type JudgedOn, scenariosIn } from './scenario.ts';
import { wholeRunOf } from './sent.ts';
import type { TargetRun } from './session.ts';
import type { WholeRun } from './whole-run.ts';

/** To which exchanges a requirement applies, and how each is judged. */
export interface EverywhereOn {
  /** Scenarios that are sent even if no other check is selected, so that there is something to judge. */
  readonly least: JudgedOn;
  readonly which: (exchange: Exchange, run: WholeRun) => boolean;
  /** True if exchanges that were interrupted, never answered, or failed transiently are judged too. */
  readonly partial?: boolean;
  /** Each turn of a WebSocket is judged by itself. */
  readonly turns?: boolean;
  /**
   * Condition for judging exchanges of real clients, which no run has sent: only if all that was on the
   * wire is known, or never, because the requirement rests on what a run sends. What a probe shows is never
   * judged there. Default: by content.
   */
  readonly observed?: 'on the wire' | 'never';
}

export type EverywhereJudgement = (exchange: Exchange, run: WholeRun) => unknown;

/**
 * Binds a requirement to every exchange of a run to which it applies, in every region. It costs no
 * request; the verdict says in how many exchanges it was judged, and names the first offenders.
 *
 * ```ts
 * everywhere('everywhere/native.whole-json', { least: baseline.models, which: isJson }, (exchange) => …);
 * ```
 */
export function everywhere(id: CheckId, on: EverywhereOn, judgement: EverywhereJudgement): void {
  register(boundEverywhere(loadCatalogue().find(id), on, judgement));
}

/** A requirement with an axis: `bind` is asked for each value to which exchanges it applies. */
export function everywhereEach<Id extends AxisRequirementId>(
  requirement: Id,
  bind: (
    value: FirstOf<AxisValueOf<Id>>,
    second: SecondOf<AxisValueOf<Id>>,
  ) => EverywhereOn & { readonly judge: EverywhereJudgement },
): void {
  registerEach(requirement, bind, (definition, { judge: judgement, ...on }) =>
    boundEverywhere(definition, on, judgement),
  );
}

/** Rows of one area that are judged alike, such as the rules of a stream grammar. */
export function everywhereRules<Name extends Area, Rule extends RuleOf<Name>>(
  area: Name,
  rules: readonly Rule[],
  on: EverywhereOn,
  judgement: (rule: Rule) => EverywhereJudgement,
): void {
  for (const rule of rules) {
    const definition = loadCatalogue().find(`${area}.${rule}`);
    register(boundEverywhere(definition, on, judgement(rule)));
  }
}

/** A check as the registry keeps it. */
export function boundEverywhere(
  definition: CheckDefinition,
  on: EverywhereOn,
  judgement: EverywhereJudgement,
): Check {
  const isProbed = scenariosIn(on.least).some(({ needs }) => needs.probes?.length);
  const judged: Everywhere = {
    observed: isProbed ? 'never' : (on.observed ?? 'by content'),
    judgeAt: judgeEach(on, judgement),
  };
  return {
    id: definition.id,
    definition,
    on: on.least,
    // Exchanges of every region are among those of a run.
    places: () => [{ region: null, on: on.least }],
    everywhere: judged,
    ready: async (run) => {
      const judging = passOf(run).judging(judged);
      const whole = await wholeRunOf(run);
      return async () => judgeEverywhere(run, definition, on.least, await judging.over(whole));
    },
  };
}

/** Judges an exchange, or each turn of it, where the requirement applies. */
export function judgeEach(
  { which, partial = false, turns = false }: Omit<EverywhereOn, 'least'>,
  judgement: EverywhereJudgement,
): Everywhere['judgeAt'] {
  return (exchange, whole, points) => {
    if (!which(exchange, whole)) return;
    for (const one of turns ? turnsOf(exchange) : [exchange]) {
      if (partial || isWhole(one)) points.at(one.key, () => judgeCase(one, whole, judgement));
    }
  };
}

/**
 * Judges one answer. What would have to be served for the requirement to say anything, and was refused, is no case
 * of it: how an answer is refused, and when, other requirements say.
 */
function judgeCase(exchange: Exchange, whole: WholeRun, judgement: EverywhereJudgement): void {
  try {
    judgement(exchange, whole);
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.exchange?.key !== exchange.key) throw error;
    if (exchange.failure?.kind === 'cut') throw new NothingToJudge('we broke it off');
    if (error.because !== 'control' || !saysNothing(exchange)) throw error;
    throw new NothingToJudge('it was refused, or had nothing left to say');
  }
}

/** Refused, in a turn at least, or the rest of a stream that had come whole. */
function saysNothing(exchange: Exchange): boolean {
  const isOver = isServed(exchange, { nothingLeft: true });
  return isOver || turnsOf(exchange).some((turn) => isRefused(turn, { capability: true }));
}

async function judgeEverywhere(
  run: TargetRun,
  definition: CheckDefinition,
  least: JudgedOn,
  { points, broken }: Judged,
): Promise<CheckVerdict> {
  if (broken !== null) {
    const outcome = { kind: 'error', error: broken.error, exchanges: [] } as const;
    return judge(definition, outcome, () => {}, run.target);
  }
  if (!points.isEmpty) return judge(definition, nothingLacks, () => points.end(), run.target);
  const { outcome, isSent } = await sentOf(run, least);
  const ended = (): unknown => {
    // Requests of other checks need not be enough to judge this one.
    if (!isSent) throw new NothingToJudge('what would show it was not asked for');
    return points.end();
  };
  return judge(definition, outcome, ended, run.target);
}

const nothingLacks = { kind: 'captured', captured: null, exchanges: [] } as const;

/**
 * Returns the outcome that explains why there may be nothing to judge, and if all of `least` was sent.
 * Starts no scenario.
 */
async function sentOf(
  run: TargetRun,
  least: JudgedOn,
): Promise<{ readonly outcome: Outcome; readonly isSent: boolean }> {
  const obstacle = obstacleTo(least, run.target);
  if (obstacle !== null) return { outcome: obstacle, isSent: false };
  const scenarios = scenariosIn(least);
  const started = scenarios.flatMap((scenario) => run.outcomes.get(scenario) ?? []);
  const lacking = (await Promise.all(started)).find(({ kind }) => kind !== 'captured');
  return { outcome: lacking ?? nothingLacks, isSent: started.length === scenarios.length };
}

/** True if an answer arrived whole and is no transient failure. */
function isWhole(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  return response !== null && failure === null && transientIn(exchange) === null;
}
