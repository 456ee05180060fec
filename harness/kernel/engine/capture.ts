import { type Exchange, isTransient, protocols } from '../core/index.ts';
import { Inconclusive, NothingToJudge, requestInWords } from '../judge/index.ts';
import type { Target } from '../targets/index.ts';
import { createIo } from './create-io.ts';
import { rolesOf, settingOf } from './home.ts';
import { decisive, type Obstacle } from './needs.ts';
import { exchangesOf, type Outcome } from './outcome.ts';
import { type Check, judgedOn } from './registry.ts';
import {
  type CapturedOn,
  isScenario,
  type JudgedOn,
  type Scenario,
  scenariosByName,
  scenariosIn,
  seenIn,
  withPrerequisites,
} from './scenario.ts';
import { Lanes } from './schedule/lanes.ts';
import { sentBefore } from './sent.ts';
import type { TargetRun } from './session.ts';

/** Returns the outcome of a scenario, which the first call runs. Later calls share it. Never rejects. */
export function outcomeOf<Captured>(
  run: TargetRun,
  scenario: Scenario<Captured>,
): Promise<Outcome<Captured>> {
  // The memo is keyed by the scenario itself, so its entry is the outcome of this scenario.
  let outcome = run.outcomes.get(scenario) as Promise<Outcome<Captured>> | undefined;
  if (outcome === undefined) {
    run.scenarioStarted();
    outcome = capture(run, scenario).finally(() => run.scenarioEnded(scenario));
    run.outcomes.set(scenario, outcome);
  }
  return outcome;
}

/**
 * Returns the outcome that a check is judged on at a target. For several scenarios, returns all that they captured,
 * or the reason why one of them captured nothing. Never rejects.
 */
export async function outcomeOn<On extends JudgedOn>(
  run: TargetRun,
  on: On,
): Promise<Outcome<CapturedOn<On>>> {
  if (isScenario(on)) return (await outcomeOf(run, on)) as Outcome<CapturedOn<On>>;
  const obstacle = obstacleTo(on, run.target);
  if (obstacle !== null) return obstacle;
  const captured: Record<string, unknown> = {};
  const exchanges: Exchange[] = [];
  for (const [name, scenario] of Object.entries(scenariosByName(on))) {
    const outcome = await outcomeOf(run, scenario);
    if (outcome.kind !== 'captured') return outcome;
    captured[name] = outcome.captured;
    exchanges.push(...outcome.exchanges);
  }
  return settled(
    // The keys of the record are the names of its scenarios.
    async () => seenIn(on, captured) as CapturedOn<On>,
    async () => exchanges,
  );
}

/** Returns the scenarios to run for a check in all regions, but those whose target lacks something. */
export function scenariosToRun(check: Check, target: Target): readonly Scenario[] {
  return judgedOn(check, target).flatMap((on) =>
    isScenario(on) || obstacleTo(on, target) === null ? scenariosIn(on) : [],
  );
}

/** Returns the reason why a check cannot be judged at a target, or null. */
export function obstacleTo(on: JudgedOn, target: Target): Obstacle | null {
  const resolutions = scenariosIn(on).map((scenario) => rolesOf(scenario, target));
  return decisive(resolutions.filter((resolution) => resolution.kind !== 'cast'));
}

async function capture<Captured>(
  run: TargetRun,
  scenario: Scenario<Captured>,
): Promise<Outcome<Captured>> {
  const casting = rolesOf(scenario, run.target);
  if (casting.kind !== 'cast') return casting;
  const before = await prerequisites(run, scenario);
  if (!before.ready) return before.outcome;
  const lanes = new Lanes(run, scenario, await exchangedBefore(run, scenario));
  const setting = settingOf(scenario, run.target, casting.cast, before.captured);
  const outcome = await run.phases.during(() =>
    settled(
      () => scenario.capture(createIo(run, scenario, setting, lanes), before.captured),
      () => lanes.settled(),
    ),
  );
  const flaw = run.flaw(scenario);
  return flaw === null ? outcome : { kind: 'error', error: flaw, exchanges: outcome.exchanges };
}

/** Returns the exchanges of all scenarios that come before this one. */
async function exchangedBefore(run: TargetRun, scenario: Scenario): Promise<readonly Exchange[]> {
  if (scenario.last) return sentBefore(run, scenario);
  const before = [...withPrerequisites(Object.values(scenario.after))];
  const outcomes = await Promise.all(before.map((one) => run.outcomes.get(one)));
  return outcomes.flatMap((outcome) => (outcome === undefined ? [] : exchangesOf(outcome)));
}

type Settled<Captured> = Outcome<Captured> & { readonly exchanges: readonly Exchange[] };

/** Runs a flow, and returns its outcome after the last of its exchanges has ended. */
async function settled<Captured>(
  flow: () => Promise<Captured>,
  ended: () => Promise<readonly Exchange[]>,
): Promise<Settled<Captured>> {
  try {
    const captured = await flow();
    return { kind: 'captured', captured, exchanges: await ended() };
  } catch (error) {
    const exchanges = await ended();
    if (error instanceof Inconclusive) {
      const { because: cause, message: reason, exchange } = error;
      return { kind: 'inconclusive', cause, reason, exchange, exchanges };
    }
    if (error instanceof NothingToJudge) {
      return { kind: 'not-applicable', reason: error.message, exchanges };
    }
    return { kind: 'error', error, exchanges };
  }
}

type Before =
  | { readonly ready: true; readonly captured: Record<string, unknown> }
  | { readonly ready: false; readonly outcome: Exclude<Outcome<never>, { kind: 'captured' }> };

/**
 * Captures the prerequisites. Those that expire are captured last, once the phase of the scenario has come, so that
 * none of them expires during the wait.
 */
async function prerequisites(run: TargetRun, scenario: Scenario): Promise<Before> {
  const entries = Object.entries(scenario.after);
  const lasting = entries.filter(([, { expires }]) => !expires);
  const before = await captureAll(run, lasting);
  if (!before.ready) return before;
  const { phase, together } = scenario;
  // Requests of one protocol begin side by side, so that they meet even if few are sent at once.
  await run.phases.reached(phase, together === null ? 0 : protocols.indexOf(together));
  run.began(scenario);
  if (lasting.length === entries.length) return before;
  const behind = lasting.map(([, each]) => each);
  for (const [, each] of entries) {
    if (each.expires) run.deferred(each, behind, scenario);
  }
  return captureAll(run, entries);
}

async function captureAll(
  run: TargetRun,
  entries: readonly (readonly [string, Scenario])[],
): Promise<Before> {
  const outcomes = await Promise.all(entries.map(([, before]) => outcomeOf(run, before)));
  const captured: Record<string, unknown> = {};
  for (const [index, [name, before]] of entries.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) continue;
    if (outcome.kind === 'captured') {
      captured[name] = outcome.captured;
    } else if (outcome.kind === 'inconclusive') {
      return { ready: false, outcome: waitingFor(before, outcome) };
    } else {
      return { ready: false, outcome };
    }
  }
  return { ready: true, captured };
}

type Undecided = Extract<Outcome, { kind: 'inconclusive' }>;

/** Names the first cause once, however long the chain, so that reports group all that wait for it. */
function waitingFor(before: Scenario, outcome: Undecided): Undecided {
  const { exchange, waits } = outcome;
  const cause = isTransient(outcome.cause) ? outcome.cause : 'prerequisite';
  const request = exchange === null ? '' : ` (${requestInWords(exchange)})`;
  // The reason of a transient failure begins with the request that met it.
  const what = cause === 'prerequisite' ? `${before.name}${request}: ` : '';
  const reason = waits === true ? outcome.reason : `waits for ${what}${outcome.reason}`;
  return { ...outcome, cause, reason, exchanges: [], waits: true };
}
