import {
  type Exchange,
  formatSender,
  type Protocol,
  parseSender,
  type SenderId,
} from '../core/index.ts';
import { atHome, type Target } from '../targets/index.ts';
import type { Io } from './io.ts';
import type { Needs } from './needs.ts';
import { perTarget } from './per-target.ts';
import type { Hostile } from './schedule/hostile.ts';
import { laterOf, type Phase } from './schedule/phases.ts';
import { showingModels, showModels } from './shown-models.ts';

/**
 * A named flow of exchanges. It runs once in a run, however many checks judge it, and asserts nothing. `Captured`
 * is its output for the checks, mostly exchanges.
 */
export interface Scenario<Captured = unknown> {
  readonly id: SenderId;
  /** Its id as text. */
  readonly name: string;
  /** The region of its requests that name no other; null: the first of the target. */
  readonly home: string | null;
  readonly needs: Needs;
  costAt(target: Target): Cost;
  /** Prerequisites, by the names under which the scenario gets their captures. */
  readonly after: Readonly<Record<string, Scenario>>;
  /** True if its result lasts only for a while: see `ScenarioOptions`. */
  readonly expires: boolean;
  /** True if it runs after all other scenarios: see `ScenarioOptions`. */
  readonly last: boolean;
  /** True if only its own checks look at its exchanges: see `ScenarioOptions`. */
  readonly aside: boolean;
  /** True if makers do not look a response up before other keys request it: see `ScenarioOptions`. */
  readonly withoutLookup: boolean;
  /** Kind of requests that a gateway may defend itself against, or null: see `ScenarioOptions`. */
  readonly hostile: Hostile | null;
  /** Protocol of its requests if they meet others of it, or null: see `ScenarioOptions`. */
  readonly together: Protocol | null;
  /** Phase in which it begins: at least the latest of its prerequisites. */
  readonly phase: Phase;
  /** Never called directly: `outcomeOf` runs it once. */
  capture(io: Io, after: Readonly<Record<string, unknown>>): Promise<Captured>;
  /** Returns the flow and its prerequisites in a further region, the same object each time. */
  inRegion(name: string): Scenario<Captured>;
}

/** Maximum cost. The plan and the limiter depend on it. */
export interface Cost {
  readonly requests: number;
  /** Number of these that a gateway makes needless by answering at once: polls, further pages, retries. Default: none. */
  readonly spare?: number;
  /** Requests, and frames of a WebSocket, that ask a model to generate. The user pays for them. */
  readonly generations: number;
  /** Further generations that have to be refused, which a wrong gateway charges for. Default: none. */
  readonly refused?: number;
  /**
   * Number of generations, including refused ones, that continue a stored or a deleted response. Each may be
   * retried once, because nodes of a gateway may disagree. Default: none.
   */
  readonly continues?: number;
  /**
   * Further generations, sent only if the earlier ones did not show what they should: for example if a model
   * declines to call a function, or if a gateway uses a freedom that it has. Default: none.
   */
  readonly fallback?: number;
  /** Maximum output tokens of each; null: no limit. Default: `maxOutputTokens` of the target file. */
  readonly outputTokens?: number | null;
  /** Requests that wait for one another. Default: all. */
  readonly chain?: number;
}

/** Returns the maximum number of generations at any gateway, even at one that refuses nothing. */
export function mostGenerations(cost: Cost): number {
  const { generations, refused = 0, continues = 0, fallback = 0 } = cost;
  return generations + refused + continues + fallback;
}

/**
 * Derives a value from the captures of scenarios: joined, in part, or under other names. A view sends nothing and
 * is no scenario: a check or a scenario that uses a view uses its scenarios.
 */
export interface View<Seen = unknown> {
  readonly of: Readonly<Record<string, Scenario>>;
  /** Pure. @throws {Inconclusive} if the captures do not show the value */
  see(captured: Readonly<Record<string, unknown>>): Seen;
  /** Returns the same view of the captures of a further region. */
  inRegion(name: string): View<Seen>;
}

export type Captures<Captured> = Scenario<Captured> | View<Captured>;

/** Scenarios and views, by the names under which their captures are passed. */
export type After = Readonly<Record<string, Scenario | View>>;

/** Captures of the prerequisites, under the same names. */
type CapturedBy<A extends After> = {
  readonly [Name in keyof A]: CapturedOf<A[Name]>;
};

type CapturedOf<Source> =
  Source extends Scenario<infer Captured>
    ? Captured
    : Source extends View<infer Seen>
      ? Seen
      : never;

/** Input of a check: a scenario or a view, or several by the names that its judgement uses. */
export type JudgedOn = Scenario | View | After;

/** Value that a judgement gets. */
export type CapturedOn<On extends JudgedOn> = On extends Scenario | View
  ? CapturedOf<On>
  : On extends After
    ? CapturedBy<On>
    : never;

/** Returns the scenarios that a check is judged on, without their prerequisites. */
export function scenariosIn(on: JudgedOn): readonly Scenario[] {
  return isScenario(on) ? [on] : [...new Set(Object.values(scenariosByName(on)))];
}

/** Returns scenarios with all their prerequisites, each once. */
export function withPrerequisites(scenarios: Iterable<Scenario>): ReadonlySet<Scenario> {
  const all = new Set<Scenario>();
  const add = (scenario: Scenario): void => {
    if (all.has(scenario)) return;
    all.add(scenario);
    Object.values(scenario.after).forEach(add);
  };
  for (const scenario of scenarios) add(scenario);
  return all;
}

/** Distinguishes a scenario from a record, which may have one under any name but no function. */
export function isScenario(on: JudgedOn): on is Scenario {
  return 'capture' in on && typeof on.capture === 'function';
}

function isView(on: View | After): on is View {
  return typeof on.see === 'function';
}

export function scenariosByName(on: View | After): Readonly<Record<string, Scenario>> {
  if (isView(on)) return on.of;
  return Object.fromEntries(
    Object.entries(on).flatMap(([name, source]) =>
      isScenario(source)
        ? [[name, source] as const]
        : Object.entries(source.of).map(([inner, one]) => [`${name}.${inner}`, one] as const),
    ),
  );
}

export function seenIn(on: View | After, captured: Readonly<Record<string, unknown>>): unknown {
  if (isView(on)) return on.see(captured);
  return Object.fromEntries(
    Object.entries(on).map(([name, source]) => {
      if (isScenario(source)) return [name, captured[name]];
      const own = Object.keys(source.of).map((inner) => [inner, captured[`${name}.${inner}`]]);
      return [name, source.see(Object.fromEntries(own))];
    }),
  );
}

/**
 * Defines a view.
 *
 * ```ts
 * const lookedUp = view({ created, lookup }, ({ created, lookup }) => ({ ...created, lookup }));
 * ```
 */
export function view<A extends After, Seen>(
  of: A,
  see: (captured: CapturedBy<A>) => Seen,
): View<Seen> {
  return {
    of: scenariosByName(of),
    see: (captured) => see(seenIn(of, captured) as CapturedBy<A>),
    inRegion: (name) => view(allInRegion(of, name), see),
  };
}

/** Returns a view of `first` in the first region, and of the cheaper `further` in others. */
export function cheaperElsewhere<Captured>(
  first: Captures<Captured>,
  further: Captures<Captured>,
): View<Captured> {
  return {
    ...view({ captured: first }, ({ captured }) => captured as Captured),
    inRegion: (name) =>
      view({ captured: further }, ({ captured }) => captured as Captured).inRegion(name),
  };
}

export function onInRegion<On extends JudgedOn>(on: On, name: string): On {
  const moved = isScenario(on) || isView(on) ? on.inRegion(name) : allInRegion(on, name);
  // The moved object is of the same kind, and captures the same.
  return moved as On;
}

function allInRegion<A extends After>(all: A, name: string): A {
  const moved = Object.entries(all).map(([key, one]) => [key, one.inRegion(name)]);
  return Object.fromEntries(moved) as A;
}

export interface ScenarioOptions<A extends After> {
  /** Requirements on the target. Those of the prerequisites are added. */
  readonly needs?: Needs;
  readonly after?: A;
  /**
   * True if its result lasts only for a while, as a running response does. The scenario is deferred until all other
   * prerequisites of its dependents have their outcomes.
   */
  readonly expires?: boolean;
  /**
   * True if it starts when all others have their outcomes, and investigates their exchanges (`io.sent`), in every
   * region. No other scenario comes after it.
   */
  readonly last?: boolean;
  /**
   * True if it requests something that the target file does not declare. Only its own checks look at its exchanges:
   * nothing was promised, so checks that are judged everywhere leave them out.
   */
  readonly aside?: boolean;
  /**
   * True if other keys request a response at once, even before its maker has seen it. A denial then proves little,
   * because a node of the store may not have the response yet. A served response still counts. Default: the maker
   * looks it up first.
   */
  readonly withoutLookup?: boolean;
  /**
   * Protocol of its requests, if it begins at the same time as all others that name one, once nothing else runs. Only
   * requests that meet at the gateway show whether one gets the answer of another.
   */
  readonly together?: Protocol;
  /**
   * Kind of requests that a gateway may defend itself against: wrong credentials, or malformed or hard input. The
   * scenario and its dependents begin when all scenarios without such requests have their outcomes.
   */
  readonly hostile?: Hostile;
  /** A function if the cost depends on the target. */
  readonly cost: Cost | ((target: Target) => Cost);
}

/**
 * Defines a scenario. Nothing is sent unless a selected check needs it.
 *
 * @param name unique in the suite, kebab case with slashes: `responses/stored`
 */
export function scenario<Captured, A extends After = Record<never, never>>(
  name: string,
  options: ScenarioOptions<A>,
  capture: (io: Io, after: CapturedBy<A>) => Promise<Captured>,
): Scenario<Captured> {
  return scenarioAt(null, name, options, capture);
}

const costOf = perTarget((cost: (target: Target) => Cost, target) => cost(target));

function scenarioAt<Captured, A extends After>(
  home: string | null,
  name: string,
  options: ScenarioOptions<A>,
  capture: (io: Io, after: CapturedBy<A>) => Promise<Captured>,
): Scenario<Captured> {
  const given: After = options.after ?? {};
  const before = scenariosByName(given);
  const needs = inherit(Object.values(before), options.needs ?? {});
  const after =
    home === null || name === shownModelsName
      ? before
      : { ...before, [modelsThere]: modelsShown.inRegion(home) };
  const { cost, last = false, hostile = null, together = null } = options;
  const late = Object.values(after).find((one) => one.last);
  if (late !== undefined && !last) {
    throw new Error(`${name} comes after ${late.name}, which comes after everything`);
  }
  const elsewhere = new Map<string, Scenario<Captured>>();
  const id = { ...parseSender(name), region: home };
  const made: Scenario<Captured> = {
    id,
    name: formatSender(id),
    home,
    costAt: (target) => (typeof cost === 'function' ? costOf(cost, atHome(target, home)) : cost),
    after,
    expires: options.expires ?? false,
    last,
    aside: options.aside ?? false,
    withoutLookup: options.withoutLookup ?? false,
    hostile,
    together,
    phase: Object.values(after).reduce<Phase>(
      (latest, { phase }) => laterOf(latest, phase),
      last ? 'last' : (hostile ?? (together === null ? 'ordinary' : 'together')),
    ),
    needs,
    // A cast as in `view`: the memo passes the captures of these very scenarios, by these names.
    capture: async (io, captured) => capture(io, seenIn(given, captured) as CapturedBy<A>),
    inRegion(region) {
      if (last) return made;
      const known = elsewhere.get(region);
      if (known !== undefined) return known;
      const moved =
        options.after === undefined ? {} : { after: allInRegion(options.after, region) };
      const there = scenarioAt(region, name, { ...options, ...moved }, capture);
      elsewhere.set(region, there);
      return there;
    },
  };
  return made;
}

/** Name of the prerequisite that lists the models of a further region. */
export const modelsThere = 'models of its region';

const shownModelsName = 'regions/models';

/** Lists the models that a further region shows the owner. */
export const modelsShown: Scenario<readonly Exchange[]> = scenario(
  shownModelsName,
  { cost: showingModels },
  showModels,
);

/** Merges the needs of a scenario with those of its prerequisites. Its own roles win. */
function inherit(prerequisites: readonly Scenario[], own: Needs): Needs {
  const all = [...prerequisites.map(({ needs }) => needs), own];
  const model = own.model ?? all.find((needs) => needs.model !== undefined)?.model;
  return {
    ...(model === undefined ? {} : { model }),
    models: Object.assign({}, ...all.map(({ models }) => models)),
    keys: union(all.map(({ keys }) => keys)),
    probes: union(all.map(({ probes }) => probes)),
    regions: Math.max(1, ...all.map(({ regions }) => regions ?? 1)),
    ...(all.some(({ tasks }) => tasks === true) ? { tasks: true } : {}),
  };
}

function union<T>(lists: readonly (readonly T[] | undefined)[]): T[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
